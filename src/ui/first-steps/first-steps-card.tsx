// The permanent list of first steps with their state, including steps that were dismissed elsewhere.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { isHelpOpen } from '../keys/shortcuts.ts'
import { pointer } from '../parts/pointer.ts'
import { request } from '../server/request.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { useBetterModel } from './better-model.ts'
import { DownloadBetterModel } from './better-model-offer.tsx'

export const FirstStepsCard = () => {
  const hasRecorded = useAnyCapture()
  const isAllowed = useMicrophoneAllowed()
  const { value: better, reload } = useBetterModel(null)
  const { firstSteps: words } = strings.value
  return (
    <section class="card" aria-labelledby="settings-first-steps">
      <h2 id="settings-first-steps">{words.title}</h2>
      <ul class="plainlist lines steps">
        <Step isDone={hasRecorded} what={words.steps.record}>
          <a href={linkTo([])}>{strings.value.views.record}</a>
        </Step>
        <Step isDone={isAllowed} what={words.steps.microphone}>
          <span class="muted small">{words.microphoneHelp}</span>
        </Step>
        <Step isDone={better?.isHere ?? null} what={words.steps.model}>
          {better?.model && <DownloadBetterModel model={better.model} reload={reload} />}
        </Step>
        {pointer.value === 'mouse' && (
          <Step isDone={null} what={words.steps.keys}>
            <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)}>
              {strings.value.keys.title}
            </button>
          </Step>
        )}
      </ul>
    </section>
  )
}

/** @param isDone null: unknown */
const Step = ({
  isDone,
  what,
  children,
}: {
  isDone: boolean | null
  what: string
  children: ComponentChildren
}) => (
  <li>
    <span>
      {what} {isDone && <span class="badge strong">{strings.value.firstSteps.done}</span>}
    </span>
    {!isDone && <span>{children}</span>}
  </li>
)

function useAnyCapture(): boolean | null {
  const [has, set] = useState<boolean | null>(null)
  useEffect(() => {
    request<ListOf<ListedCapture>>('/captures?limit=1').then(
      ({ total }) => set(total > 0),
      () => {},
    )
  }, [])
  return has
}

/** Read from the browser's permission store, without a prompt. */
function useMicrophoneAllowed(): boolean | null {
  const [may, set] = useState<boolean | null>(null)
  useEffect(() => {
    navigator.permissions?.query({ name: 'microphone' as PermissionName }).then(
      ({ state }) => set(state === 'granted'),
      () => {},
    )
  }, [])
  return may
}
