// Which text of a capture is shown: as it was heard, with its times, or as it was refined. Where nothing was refined, there
// is one alone. They are refined-text.tsx and transcript.tsx.

import { useEffect, useState } from 'preact/hooks'
import type { DetailedCapture } from '../server/wire.ts'
import { strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { refinedDraftOf } from './drafts.ts'
import type { Playback } from './playback.ts'
import { WholeRefined } from './refined-text.tsx'
import { TranscriptBlocks } from './transcript.tsx'

type Props = {
  capture: DetailedCapture
  state: CaptureState
  playback: Playback | null
  query: URLSearchParams
}

export const ShownText = ({ capture, state, playback, query }: Props) => {
  const { id, segments, transcript_refined: refined } = capture
  /** Null until a person chooses: a capture that is being transcribed has no text yet. */
  const [chosen, hear] = useState<boolean | null>(() =>
    refined !== null && refinedDraftOf(id, refined) !== null ? false : null,
  )
  const isHeard = chosen ?? segments.length > 0
  const [at, searched] = [query.get('at'), query.get('q')]
  useEffect(() => {
    // Only the transcript knows when its words were said.
    if (at !== null || searched) hear(true)
  }, [at, searched])
  return (
    <>
      {refined !== null && <TextSwitch isHeard={isHeard} onChange={hear} />}
      {refined === null || isHeard ? (
        <TranscriptBlocks capture={capture} state={state} playback={playback} query={query} />
      ) : (
        <WholeRefined capture={capture} refined={refined} state={state} />
      )}
    </>
  )
}

type SwitchProps = { isHeard: boolean; onChange: (isHeard: boolean) => void }

const TextSwitch = ({ isHeard, onChange }: SwitchProps) => {
  const { capture: text } = strings.value
  return (
    <fieldset class="row textswitch">
      <legend class="unseen">{text.textShown}</legend>
      <label class="choice">
        <input type="radio" name="shown-text" checked={isHeard} onChange={() => onChange(true)} />
        {text.heardText}
      </label>
      <label class="choice">
        <input type="radio" name="shown-text" checked={!isHeard} onChange={() => onChange(false)} />
        {text.refinedText}
      </label>
    </fieldset>
  )
}
