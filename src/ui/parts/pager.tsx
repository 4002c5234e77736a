import { strings } from '../strings/strings.ts'
import { figure } from './figures.ts'

type Pages = { offset: number; size: number; total: number; turn: (offset: number) => void }

export const Pager = ({ offset, size, total, turn }: Pages) => {
  const { parts } = strings.value
  if (total <= size) return null
  const last = Math.min(offset + size, total)
  return (
    <nav class="row" aria-label={parts.pages}>
      <button type="button" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - size))}>
        {parts.previous}
      </button>
      <span class="muted">{`${figure(offset + 1)}–${figure(last)} / ${figure(total)}`}</span>
      <button type="button" disabled={last >= total} onClick={() => turn(offset + size)}>
        {parts.next}
      </button>
    </nav>
  )
}
