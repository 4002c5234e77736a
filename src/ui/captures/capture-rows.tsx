// The rows of the list and their keyboard shortcuts, which work only with focus in the list, because a user who
// dictates into the page types characters that are not commands.

import { useRef, useState } from 'preact/hooks'
import { attempt, note } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListedCapture } from '../server/wire.ts'
import { counted, strings } from '../strings/strings.ts'
import { copyText, restoreCaptures, setStarred, trashCaptures } from './capture-actions.ts'
import { captureList, showChanged, showGone } from './capture-list.ts'
import { isByTime, type ListQuery } from './capture-query.ts'
import { CaptureItem } from './capture-row.tsx'
import { dayGroupName, groupsByDay } from './day-groups.ts'
import type { RowActions } from './row-menu.tsx'
import { useRowSound } from './row-sound.ts'
import { toggleSelected } from './selection.tsx'

export const CaptureRows = ({ query }: { query: ListQuery }) => {
  const [active, setActive] = useState<string | null>(null)
  const list = useRef<HTMLElement>(null)
  const { playing, play } = useRowSound(query.q)
  const { items, state } = captureList.value
  const isTrash = query.filters.trashed === 'true'
  const activeId = items.some(({ id }) => id === active) ? active : (items[0]?.id ?? null)

  const focusRow = (at: number): void =>
    list.current?.querySelectorAll<HTMLAnchorElement>('a.open')[at]?.focus()

  const actions: RowActions = {
    play,
    copy: ({ text }) => void copyText(text),
    retranscribe: ({ id }) =>
      void attempt(async () => {
        await request(`/captures/${id}/retranscribe?wait=false`, { method: 'POST', json: {} })
        note(counted(1, strings.value.captures.retranscribing))
      }),
    star: ({ id, starred }) => {
      showChanged(id, { starred: !starred })
      void setStarred(id, !starred).then((done) => done || showChanged(id, { starred }))
    },
    move: async ({ id }) => {
      const at = items.findIndex((one) => one.id === id)
      const hadFocus = list.current?.contains(document.activeElement) ?? false
      if (!(await (isTrash ? restoreCaptures([id]) : trashCaptures([id])))) return
      showGone([id])
      if (hadFocus) requestAnimationFrame(() => focusRow(Math.min(at, items.length - 2)))
    },
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof Element) || event.target.closest('.menu')) return
    // On the row's buttons and checkbox only character shortcuts apply, as other keys have their own meaning there.
    const isLetter = event.key.length === 1 && event.key !== ' '
    if (!isLetter && !event.target.matches('a.open')) return
    const at = items.findIndex(({ id }) => id === activeId)
    const capture = items[at]
    if (capture === undefined) return
    const does: Record<string, () => void> = {
      ArrowDown: () => focusRow(at + 1),
      j: () => focusRow(at + 1),
      ArrowUp: () => focusRow(at - 1),
      k: () => focusRow(at - 1),
      Home: () => focusRow(0),
      End: () => focusRow(items.length - 1),
      ' ': () => actions.play(capture),
      s: () => actions.star(capture),
      c: () => actions.copy(capture),
      x: () => toggleSelected(capture.id),
      Delete: () => actions.move(capture),
    }
    const act = does[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  const row = (capture: ListedCapture) => (
    <CaptureItem
      key={capture.id}
      capture={capture}
      words={query.q.trim()}
      isTrash={isTrash}
      isActive={capture.id === activeId}
      isPlaying={capture.id === playing}
      actions={actions}
      onActive={setActive}
    />
  )

  return (
    <>
      <p class="unseen" id="list-keys">
        {strings.value.captures.keys}
      </p>
      <section
        ref={list}
        aria-label={strings.value.views.captures}
        aria-describedby="list-keys"
        aria-busy={state === 'waiting'}
        onKeyDown={onKeyDown}
      >
        {isByTime(query) ? (
          groupsByDay(items).map(({ key, items: ofGroup }) => (
            <section key={key} aria-labelledby={`days-${key}`}>
              <h2 id={`days-${key}`} class="daygroup">
                {dayGroupName(key)}
              </h2>
              <ul class="plainlist rows">{ofGroup.map(row)}</ul>
            </section>
          ))
        ) : (
          <ul class="plainlist rows">{items.map(row)}</ul>
        )}
      </section>
    </>
  )
}
