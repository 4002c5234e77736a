// The latest captures, below the recorder: each opens on a click, and its text is copied by one button.

import { linkTo } from '../address.ts'
import { isAtWork } from '../captures/capture-actions.ts'
import { CopyTextButton } from '../captures/copy-text-button.tsx'
import { recentCaptures } from '../captures/recent-captures.ts'
import { clockTime, momentText } from '../parts/formats.ts'
import type { ListedCapture } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'

/** Characters of text that a row can show. */
const BEGINNING = 120

/** @param besides the capture that the view shows above */
export const RecentList = ({ besides }: { besides: string | null }) => {
  const items = (recentCaptures.value ?? []).filter(({ id }) => id !== besides)
  if (items.length === 0) return null
  const { shell, capture } = strings.value
  return (
    <section class="recentlist" aria-labelledby="recent-title">
      <div class="row between">
        <h2 id="recent-title">{shell.recent}</h2>
        <a href={linkTo(['captures'])}>{capture.all}</a>
      </div>
      <ul class="plainlist card">
        {items.map((one) => (
          <RecentItem key={one.id} capture={one} />
        ))}
      </ul>
    </section>
  )
}

const RecentItem = ({ capture }: { capture: ListedCapture }) => {
  const { id, title, recorded_at: moment, duration_ms: duration, status } = capture
  const { captures } = strings.value
  // During its transcription a recording may have only a space.
  const text = capture.text.trim()
  const name = title || captures.untitled
  return (
    <li>
      <a href={linkTo(['captures', id])}>
        <span class="name">{name}</span>
        <span class="muted small">
          {momentText(moment)}
          {duration !== null && ` · ${clockTime(duration / 1000)}`}
          {(isAtWork(capture) || status !== 'completed') && ` · ${captures.statuses[status]}`}
          {text !== '' && !text.startsWith(name.replace(/ …$/, '')) && ` · ${text.slice(0, BEGINNING)}`}
        </span>
      </a>
      {text !== '' && (
        <CopyTextButton
          class="quiet icon"
          text={() => text}
          name={filled(captures.ofCapture, { action: captures.copy, title: name })}
        />
      )}
    </li>
  )
}
