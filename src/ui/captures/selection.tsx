// Selected captures and the bulk actions on them.

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { saveBlob } from '../parts/download-link.tsx'
import { note, noteFault } from '../parts/toasts.tsx'
import { request, requestBlob } from '../server/request.ts'
import type { BatchBegun } from '../server/wire.ts'
import { counted, strings } from '../strings/strings.ts'
import { CAPTURE_FORMATS, restoreCaptures, type TextChoice, trashCaptures } from './capture-actions.ts'
import { captureList, showGone } from './capture-list.ts'
import type { ListQuery } from './capture-query.ts'
import { TagMenu } from './tags.tsx'

export const selected = signal<ReadonlySet<string>>(new Set())

export function toggleSelected(id: string): void {
  const ids = new Set(selected.value)
  if (!ids.delete(id)) ids.add(id)
  selected.value = ids
}

const selectNone = (): void => {
  selected.value = new Set()
}

export const SelectionBar = ({ query }: { query: ListQuery }) => {
  const [format, choose] = useState<string>('txt')
  const [words, chooseWords] = useState<TextChoice>('refined')
  const [isBusy, setBusy] = useState(false)
  const [isSure, setSure] = useState(false)
  const text = strings.value.captures
  const { textShown, refinedText, heardText, formats } = strings.value.capture
  const ids = [...selected.value]
  const { items } = captureList.value
  const all = items.length > 0 && ids.length === items.length
  const isTrash = query.filters.trashed === 'true'

  const during = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      noteFault(error)
    }
    setBusy(false)
    setSure(false)
  }
  const moveAway = (move: (ids: string[]) => Promise<boolean>) =>
    during(async () => {
      if (!(await move(ids))) return
      showGone(ids)
      selectNone()
    })
  const deleteForGood = () =>
    during(async () => {
      const { queued } = await request<BatchBegun>('/captures/delete', { method: 'POST', json: { ids } })
      note(counted(queued, text.deleting))
      showGone(ids)
      selectNone()
    })
  const retranscribe = () =>
    during(async () => {
      const { queued } = await request<BatchBegun>('/captures/retranscribe', {
        method: 'POST',
        json: { ids },
      })
      note(counted(queued, text.retranscribing))
      selectNone()
    })
  const download = () =>
    during(async () =>
      saveBlob(await requestBlob('/captures/export', { method: 'POST', json: { ids, format, text: words } })),
    )

  return (
    <div class="row selectionbar">
      <label class="choice">
        <input
          type="checkbox"
          checked={all}
          indeterminate={ids.length > 0 && !all}
          onChange={() => (selected.value = new Set(all ? [] : items.map(({ id }) => id)))}
        />
        {ids.length === 0 ? text.selectAll : counted(ids.length, text.selected)}
      </label>
      {ids.length > 0 && (
        <>
          {isTrash && (
            <button type="button" disabled={isBusy} onClick={() => void moveAway(restoreCaptures)}>
              {text.restore}
            </button>
          )}
          {isTrash && (
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => (isSure ? void deleteForGood() : setSure(true))}
            >
              {isSure ? text.deleteForGoodSure : text.deleteForGood}
            </button>
          )}
          {!isTrash && (
            <button type="button" disabled={isBusy} onClick={() => void retranscribe()}>
              {text.retranscribe}
            </button>
          )}
          {!isTrash && <TagMenu captures={items.filter(({ id }) => selected.value.has(id))} hasLabel />}
          <select
            aria-label={text.format}
            value={format}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {CAPTURE_FORMATS.map((name) => (
              <option key={name} value={name}>
                {formats[name]}
              </option>
            ))}
          </select>
          <select
            aria-label={textShown}
            value={words}
            onChange={({ currentTarget }) => chooseWords(currentTarget.value as TextChoice)}
          >
            <option value="refined">{refinedText}</option>
            <option value="raw">{heardText}</option>
          </select>
          <button type="button" disabled={isBusy} onClick={() => void download()}>
            {text.exportZip}
          </button>
          {!isTrash && (
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => void moveAway(trashCaptures)}
            >
              {text.delete}
            </button>
          )}
        </>
      )}
    </div>
  )
}
