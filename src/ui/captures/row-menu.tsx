// The menu of a row: downloads, and what is needed less often.

import { DownloadLink } from '../parts/download-link.tsx'
import { Icon } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, exportLink } from './capture-actions.ts'

type Props = {
  capture: ListedCapture
  tabIndex: number
  isTrash: boolean
  onRetranscribe: () => void
  /** into the trash, or out of it */
  onMove: () => void
}

export const RowMenu = ({ capture, tabIndex, isTrash, onRetranscribe, onMove }: Props) => {
  const { more, ofCapture, restore, retranscribe, delete: remove } = strings.value.captures
  const { title, audio_available: hasAudio } = capture
  return (
    <Menu
      label={filled(ofCapture, { action: more, title })}
      icon="more"
      class="plain"
      tabIndex={tabIndex}
    >
      <Downloads capture={capture} />
      <ul class="plainlist">
        {!isTrash && hasAudio && (
          <li>
            <button type="button" onClick={onRetranscribe}>
              <Icon name="again" />
              {retranscribe}
            </button>
          </li>
        )}
        <li>
          <button type="button" class={isTrash ? undefined : 'danger'} onClick={onMove}>
            <Icon name={isTrash ? 'restore' : 'trash'} />
            {isTrash ? restore : remove}
          </button>
        </li>
      </ul>
    </Menu>
  )
}

const Downloads = ({ capture }: { capture: ListedCapture }) => {
  const { id, text: words, transcript_refined: refined, audio_available: hasAudio } = capture
  const { capture: named, captures } = strings.value
  if (words === '' && !hasAudio) return null
  return (
    <>
      <p class="muted small">{captures.download}</p>
      <ul class="plainlist">
        {words !== '' &&
          CAPTURE_FORMATS.map((format) => (
            <li key={format}>
              <DownloadLink href={exportLink(id, format, 'refined')}>{named.formats[format]}</DownloadLink>
            </li>
          ))}
        {hasAudio && (
          <li>
            <DownloadLink href={`/captures/${id}/audio`}>{named.downloadAudio}</DownloadLink>
          </li>
        )}
      </ul>
      {words !== '' && refined !== null && <p class="muted small">{captures.inRefined}</p>}
      <hr />
    </>
  )
}
