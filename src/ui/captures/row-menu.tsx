// The menu of a row: downloads, and what is needed less often.

import { DownloadLink } from '../parts/download-link.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { Menu } from '../parts/menu.tsx'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, exportLink } from './capture-actions.ts'

export type RowActions = {
  play: (capture: ListedCapture) => void
  star: (capture: ListedCapture) => void
  copy: (capture: ListedCapture) => void
  retranscribe: (capture: ListedCapture) => void
  /** into the trash, or out of it */
  move: (capture: ListedCapture) => void
}

type Props = {
  capture: ListedCapture
  tabIndex: number
  isTrash: boolean
  actions: RowActions
}

export const RowMenu = ({ capture, tabIndex, isTrash, actions }: Props) => {
  const text = strings.value.captures
  const { title, starred, audio_available: hasAudio } = capture
  return (
    <Menu
      label={filled(text.ofCapture, { action: text.more, title })}
      icon="more"
      class="plain"
      tabIndex={tabIndex}
    >
      {/* In a small window the row has no buttons for these. */}
      <ul class="plainlist narrowonly">
        <Item icon="star" name={starred ? text.unstar : text.star} act={() => actions.star(capture)} />
        <Item icon="copy" name={text.copy} act={() => actions.copy(capture)} />
      </ul>
      <Downloads capture={capture} />
      <ul class="plainlist">
        {!isTrash && hasAudio && (
          <Item icon="again" name={text.retranscribe} act={() => actions.retranscribe(capture)} />
        )}
        <Item
          icon={isTrash ? 'restore' : 'trash'}
          name={isTrash ? text.restore : text.delete}
          isDanger={!isTrash}
          act={() => actions.move(capture)}
        />
      </ul>
    </Menu>
  )
}

type ItemProps = { icon: IconName; name: string; isDanger?: boolean; act: () => void }

const Item = ({ icon, name, isDanger = false, act }: ItemProps) => (
  <li>
    <button type="button" class={isDanger ? 'danger' : undefined} onClick={act}>
      <Icon name={icon} />
      {name}
    </button>
  </li>
)

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
