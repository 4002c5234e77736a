// What is done with a capture: copy, download and star at its title, everything else in one menu.

import { CAPTURE_FORMATS, exportLink, setStarred, trashCaptures } from '../captures/capture-actions.ts'
import { CopyTextButton } from '../captures/copy-text-button.tsx'
import { DownloadLink } from '../parts/download-link.tsx'
import { Icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import type { DetailedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import type { CaptureState } from './capture-state.ts'
import { workFacts } from './facts.tsx'
import { hasTwoTexts, type Shown, wordsShown } from './shown-text.tsx'
import { TOOL_ICONS, type ToolName, toolsFor } from './tools.tsx'

type Props = {
  capture: DetailedCapture
  state: CaptureState
  shown: Shown
  /** opens a tool below the player */
  open: (tool: ToolName) => void
}

export const Actions = ({ capture, state, shown, open }: Props) => {
  const { id, starred } = capture
  const { captures } = strings.value
  const star = async (): Promise<void> => {
    state.capture.value = { ...capture, starred: !starred }
    if (!(await setStarred(id, !starred))) await state.load()
  }
  const starName = starred ? captures.unstar : captures.star
  return (
    <div class="row actions">
      <CopyTextButton
        class="primary copy"
        isDisabled={wordsShown(shown, capture) === ''}
        text={() => wordsShown(shown, capture)}
      />
      <Downloads capture={capture} shown={shown} />
      <button
        type="button"
        class="icon quiet"
        aria-pressed={starred}
        title={starName}
        aria-label={captures.star}
        onClick={() => void star()}
      >
        <Icon name="star" isFull={starred} />
      </button>
      <More capture={capture} state={state} open={open} />
    </div>
  )
}

const Downloads = ({ capture, shown: { choice } }: Pick<Props, 'capture' | 'shown'>) => {
  const { capture: text, captures } = strings.value
  const hasText = capture.text !== ''
  if (!hasText && !capture.audio_available) return null
  const name = choice === 'refined' ? text.refinedText : text.heardText
  return (
    <Menu label={captures.download} icon="download" class="quiet downloads">
      {hasTwoTexts(capture) && <p class="muted small">{filled(text.downloadedText, { name })}</p>}
      <ul class="plainlist">
        {hasText &&
          CAPTURE_FORMATS.map((format) => (
            <li key={format}>
              <DownloadLink href={exportLink(capture.id, format, choice)}>
                {text.formats[format]}
              </DownloadLink>
            </li>
          ))}
        {capture.audio_available && (
          <li>
            <DownloadLink href={`/captures/${capture.id}/audio`}>{text.downloadAudio}</DownloadLink>
          </li>
        )}
      </ul>
    </Menu>
  )
}

const More = ({ capture, state, open }: Omit<Props, 'shown'>) => {
  const { capture: text, captures } = strings.value
  const facts = workFacts(capture)
  const trash = async (): Promise<void> => {
    await trashCaptures([capture.id])
    await state.load()
  }
  return (
    <Menu label={text.moreActions} icon="more" class="quiet">
      <ul class="plainlist">
        {toolsFor(capture).map((tool) => (
          <li key={tool}>
            <button type="button" onClick={() => open(tool)}>
              <Icon name={TOOL_ICONS[tool]} />
              {text.tools[tool]}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => print()}>
            <Icon name="print" />
            {text.print}
          </button>
        </li>
        {capture.trashed_at === null && (
          <li>
            <button type="button" class="danger" onClick={() => void trash()}>
              <Icon name="trash" />
              {captures.delete}
            </button>
          </li>
        )}
      </ul>
      {facts.length > 0 && (
        <>
          <hr />
          {facts.map((fact) => (
            <p key={fact} class="muted small">
              {fact}
            </p>
          ))}
        </>
      )}
    </Menu>
  )
}
