// The permanent list of first steps with their state, including steps that were dismissed elsewhere.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { isHelpOpen } from '../keys/shortcuts.ts'
import { ask } from '../server/ask.ts'
import type { ListedCapture, ListOf } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import { useBetterModel } from './better-model.ts'
import { BringBetterModel } from './better-model-offer.tsx'

export const FirstStepsCard = () => {
  const hasRecorded = useAnyCapture()
  const mayHear = useMicrophoneAllowed()
  const { value: better, again } = useBetterModel(null)
  const { firstSteps: words } = strings.value
  return (
    <section class="card" aria-labelledby="settings-first-steps">
      <h2 id="settings-first-steps">{words.title}</h2>
      <ul class="plainlist lines steps">
        <Step isDone={hasRecorded} what={words.steps.record}>
          <a href={linkTo([])}>{strings.value.views.record}</a>
        </Step>
        <Step isDone={mayHear} what={words.steps.microphone}>
          <span class="muted small">{words.microphoneHelp}</span>
        </Step>
        <Step isDone={better?.isHere ?? null} what={words.steps.model}>
          {better?.model && <BringBetterModel model={better.model} again={again} />}
        </Step>
        <Step isDone={null} what={words.steps.keys}>
          <button type="button" class="plain" onClick={() => (isHelpOpen.value = true)}>
            {strings.value.keys.title}
          </button>
        </Step>
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
  const [has, tell] = useState<boolean | null>(null)
  useEffect(() => {
    ask<ListOf<ListedCapture>>('/captures?limit=1').then(
      ({ total }) => tell(total > 0),
      () => {},
    )
  }, [])
  return has
}

/** Read from the browser's permission store, without a prompt. */
function useMicrophoneAllowed(): boolean | null {
  const [may, tell] = useState<boolean | null>(null)
  useEffect(() => {
    navigator.permissions?.query({ name: 'microphone' as PermissionName }).then(
      ({ state }) => tell(state === 'granted'),
      () => {},
    )
  }, [])
  return may
}
