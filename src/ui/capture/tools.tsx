// The tools of a capture (compare, retranscribe, refine, download), one open at a time.

import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { CAPTURE_FORMATS, exportLink } from '../captures/capture-actions.ts'
import { DownloadLink } from '../parts/download-link.tsx'
import type { DetailedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { Compare } from './compare.tsx'
import { Refine } from './refine.tsx'
import { Retranscribe } from './retranscribe.tsx'
import type { ToolProps } from './shown-text.tsx'

type Props = Omit<ToolProps, 'onDone'>
type ToolName = keyof typeof strings.value.capture.tools

export const CaptureTools = ({ capture, state, shown }: Props) => {
  const [open, choose] = useState<ToolName | null>(null)
  const { tools } = strings.value.capture
  const given = toolsFor(capture)
  const Tool = given.find(([name]) => name === open)?.[1]
  return (
    <section class="tools" aria-label={strings.value.capture.toolsLabel}>
      <div class="row">
        {given.map(([name]) => (
          <button
            key={name}
            type="button"
            aria-expanded={open === name}
            onClick={() => choose(open === name ? null : name)}
          >
            {tools[name]}
          </button>
        ))}
      </div>
      {Tool && (
        <div class="card">
          <Tool capture={capture} state={state} shown={shown} onDone={() => choose(null)} />
        </div>
      )}
    </section>
  )
}

/** Leaves out tools whose request the server would reject. */
function toolsFor(capture: DetailedCapture): [ToolName, ComponentType<ToolProps>][] {
  const hasText = capture.text !== ''
  const isInUse = capture.trashed_at === null
  const all: [ToolName, boolean, ComponentType<ToolProps>][] = [
    ['compare', hasText, Compare],
    ['retranscribe', isInUse && capture.audio_available, Retranscribe],
    ['refine', isInUse && hasText, Refine],
    ['download', hasText || capture.audio_available, Downloads],
  ]
  return all.flatMap(([name, isGiven, tool]) => (isGiven ? [[name, tool]] : []))
}

const Downloads = ({ capture, shown: { choice } }: ToolProps) => {
  const { capture: text } = strings.value
  const name = choice === 'refined' ? text.refinedText : text.heardText
  return (
    <>
      {capture.transcript_refined !== null && <p>{filled(text.downloadedText, { name })}</p>}
      <ul class="row plainlist">
        {CAPTURE_FORMATS.map((format) => (
          <li key={format}>
            <DownloadLink class="button" href={exportLink(capture.id, format, choice)}>
              {text.formats[format]}
            </DownloadLink>
          </li>
        ))}
        {capture.audio_available && (
          <li>
            <DownloadLink class="button" href={`/captures/${capture.id}/audio`}>
              {text.downloadAudio}
            </DownloadLink>
          </li>
        )}
      </ul>
    </>
  )
}
