// A replacement in older recordings: a preview with the passages before and after, and the change of those that the user
// leaves selected. Undo restores every passage.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { ChangedText } from '../parts/changed-text.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { dateAndTime } from '../parts/formats.ts'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { DetailedCapture, ListedCapture, ListOf } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import { correctedSegments, type Replaced } from './always-write.ts'
import { writeSegment } from './segment-text.ts'

/** A preview of more takes too long, and is too long to read. */
const MAX_SHOWN = 50

type Correction = ReturnType<typeof correctedSegments>[number]
type Older = Pick<DetailedCapture, 'id' | 'title' | 'recorded_at'> & { corrections: Correction[] }

/** The replacement whose preview is open, and the recording that it comes from. */
const previewed = signal<{ captureId: string; replaced: Replaced } | null>(null)

export const previewOlder = (captureId: string, replaced: Replaced): void => {
  previewed.value = { captureId, replaced }
}

/** The newest recordings with the word, besides this one. */
async function recordingsWith(word: string, besides: string, limit: number): Promise<ListedCapture[]> {
  const q = `"${word.replaceAll('"', ' ')}"`
  const query = new URLSearchParams({ q, sort: '-recorded_at', limit: String(limit + 1) })
  const { items } = await request<ListOf<ListedCapture>>(`/captures?${query}`)
  return items.filter(({ id }) => id !== besides).slice(0, limit)
}

export const hasOlder = async (captureId: string, { word }: Replaced): Promise<boolean> =>
  (await recordingsWith(word, captureId, 1)).length > 0

const correctionsOf = async (id: string, replaced: Replaced): Promise<Older> => {
  const { title, recorded_at, segments } = await request<DetailedCapture>(`/captures/${id}`)
  return { id, title, recorded_at, corrections: correctedSegments(segments, replaced) }
}

/** Reads each recording again: it may have changed since the preview. */
async function changeAll(ids: readonly string[], replaced: Replaced): Promise<void> {
  const done: (Correction & { capture: string })[] = []
  const changed = new Set<string>()
  try {
    for (const capture of ids)
      for (const one of (await correctionsOf(capture, replaced)).corrections) {
        await writeSegment(capture, one.id, one.after)
        done.push({ ...one, capture })
        changed.add(capture)
      }
  } catch (error) {
    noteFault(error)
  }
  if (done.length === 0) return
  offerUndo(counted(changed.size, strings.value.capture.olderChanged), async () => {
    for (const { capture, id, before } of done) await writeSegment(capture, id, before)
  })
}

/** The dialog, while a preview is open. */
export const OlderRecordings = () => {
  const preview = previewed.value
  // A message of another recording may have requested it after this view was closed.
  useEffect(() => {
    previewed.value = null
    return () => {
      previewed.value = null
    }
  }, [])
  return preview && <Preview {...preview} />
}

const Preview = ({ captureId, replaced }: { captureId: string; replaced: Replaced }) => {
  const [left, leaveOut] = useState<ReadonlySet<string>>(new Set())
  const { capture: text } = strings.value
  const found = useLoad(async () => {
    const older: Older[] = []
    for (const { id } of await recordingsWith(replaced.word, captureId, MAX_SHOWN))
      older.push(await correctionsOf(id, replaced))
    return older.filter(({ corrections }) => corrections.length > 0)
  })
  const chosen = (found.value ?? []).map(({ id }) => id).filter((id) => !left.has(id))
  const toggle = (id: string): void => {
    const others = new Set(left)
    if (!others.delete(id)) others.add(id)
    leaveOut(others)
  }
  return (
    <FormDialog
      title={filled(text.olderTitle, replaced)}
      fault={null}
      save={counted(chosen.length, text.olderSave)}
      cancel={text.cancel}
      send={async () => {
        await changeAll(chosen, replaced)
        return true
      }}
      close={() => (previewed.value = null)}
    >
      <WhenLoaded of={found}>
        {(older) => (
          <>
            <p>{older.length === 0 ? filled(text.olderNone, replaced) : text.olderHelp}</p>
            {older.length === MAX_SHOWN && <p class="muted">{filled(text.olderMost, { n: MAX_SHOWN })}</p>}
            <ul class="plainlist stack">
              {older.map(({ id, title, recorded_at: moment, corrections }) => (
                <li key={id}>
                  <label class="choice">
                    <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
                    <span>
                      <strong>{title}</strong> <span class="muted small">{dateAndTime(moment)}</span>
                    </span>
                  </label>
                  {corrections.map((one) => (
                    <ChangedText key={one.id} from={one.before} to={one.after} />
                  ))}
                </li>
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
    </FormDialog>
  )
}
