// Switches between the raw transcript, which has word times, and the refined text.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { remember, remembered } from '../browser-storage.ts'
import type { TextChoice } from '../captures/capture-actions.ts'
import { Icon } from '../parts/icons.tsx'
import type { DetailedCapture, ShownSegment } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { draftTextOf, refinedDraftOf, storedDraft } from './drafts.ts'
import type { Playback } from './playback.ts'
import { WholeRefined } from './refined-text.tsx'
import { TranscriptBlocks } from './transcript.tsx'

/** Without a difference there is nothing to choose. */
export const hasTwoTexts = ({ transcript_raw: raw, transcript_refined: refined }: DetailedCapture): boolean =>
  refined !== null && squeezed(refined) !== squeezed(raw)

const squeezed = (text: string): string => text.replace(/[^\S\n]+/g, ' ').trim()

/** The choice is stored in this browser, for all captures. */
const KEPT = 'capture.text'

/** The displayed text, which is also the one that is copied, saved and printed. */
export type Shown = {
  choice: TextChoice
  choose: (choice: TextChoice) => void
  /** the user has just used the switch */
  isSwitching: { current: boolean }
}

export function useShownText(capture: DetailedCapture, query: URLSearchParams): Shown {
  const { id, transcript_refined: refined } = capture
  const [chosen, choose] = useState<TextChoice>(() => {
    if (refined !== null && refinedDraftOf(id, refined) !== null) return 'refined'
    return remembered(KEPT) === 'raw' ? 'raw' : 'refined'
  })
  const isSwitching = useRef(false)
  const [at, searched] = [query.get('at'), query.get('q')]
  useEffect(() => {
    // Only the raw transcript has word times.
    if (at !== null || searched) choose('raw')
  }, [at, searched])
  const choice = hasTwoTexts(capture) ? chosen : 'raw'
  return {
    choice,
    isSwitching,
    choose(text) {
      remember(KEPT, text)
      choose(text)
    },
  }
}

/** The displayed text, including an unsaved edit of the field that just lost focus. */
export function wordsShown({ choice }: Shown, capture: DetailedCapture): string {
  const { id, segments, transcript_raw: raw, transcript_refined: refined } = capture
  if (choice === 'refined' && refined !== null) return refinedDraftOf(id, refined) ?? refined
  const draft = storedDraft(id, segments)
  return draft === null ? raw : withDraft(raw, segments, draft, id)
}

function withDraft(raw: string, segments: readonly ShownSegment[], draft: number, id: string): string {
  let from = 0
  for (const { text } of segments.slice(0, draft)) from = raw.indexOf(text.trim(), from) + text.trim().length
  const segment = segments[draft]!
  const at = raw.indexOf(segment.text.trim(), from)
  return raw.slice(0, at) + draftTextOf(id, segment).trim() + raw.slice(at + segment.text.trim().length)
}

type Props = {
  capture: DetailedCapture
  shown: Shown
  state: CaptureState
  playback: Playback | null
  query: URLSearchParams
  /** opens the tool that makes the refined text */
  onRefine: () => void
}

export const ShownText = ({ capture, shown, state, playback, query, onRefine }: Props) => {
  const { transcript_refined: refined, trashed_at: trashed, text } = capture
  const isRefinable = refined === null && text !== '' && trashed === null
  const choice = hasTwoTexts(capture) ? (
    <TextSwitch shown={shown} />
  ) : (
    isRefinable && (
      <button type="button" class="quiet" onClick={onRefine}>
        <Icon name="wand" />
        {strings.value.capture.tools.refine}
      </button>
    )
  )
  return refined === null || shown.choice === 'raw' ? (
    <TranscriptBlocks capture={capture} state={state} playback={playback} query={query}>
      {choice}
    </TranscriptBlocks>
  ) : (
    <WholeRefined capture={capture} refined={refined} state={state}>
      {choice}
    </WholeRefined>
  )
}

const TextSwitch = ({ shown: { choice, choose, isSwitching } }: { shown: Shown }) => {
  const { capture: text } = strings.value
  const names: Record<TextChoice, string> = { refined: text.refinedText, raw: text.heardText }
  const chosen = useRef<HTMLInputElement>(null)
  // Each text has its own switch: the focus moves on to the one of the other text.
  useLayoutEffect(() => {
    if (isSwitching.current) chosen.current?.focus()
    isSwitching.current = false
  }, [])
  return (
    <fieldset class="segmented textswitch">
      <legend class="unseen">{text.textShown}</legend>
      {(['refined', 'raw'] as const).map((one) => (
        <label key={one}>
          <input
            ref={choice === one ? chosen : null}
            type="radio"
            name="shown-text"
            checked={choice === one}
            onChange={() => {
              isSwitching.current = true
              choose(one)
            }}
          />
          {names[one]}
        </label>
      ))}
    </fieldset>
  )
}

export type ToolProps = { capture: DetailedCapture; state: CaptureState; onDone: () => void }
