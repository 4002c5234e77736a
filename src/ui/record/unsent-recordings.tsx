// Recordings in this browser that the server does not have: finished ones are uploaded, interrupted ones are offered.

import { useEffect, useState } from 'preact/hooks'
import { clockTime } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { note, noteFault, offerUndo } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import { filled, pageLanguage, strings } from '../strings/strings.ts'
import { RecordingSound } from './recording-sound.tsx'
import { sendRecording } from './send-recording.ts'
import {
  holdSpooled,
  leftInSpool,
  removeSpooled,
  type Spooled,
  spooledBlocks,
  spooledSeconds,
} from './spool.ts'
import { showCapture } from './stored-capture.ts'
import { wavOf } from './wav.ts'

type Found = Spooled & { seconds: number }

export const UnsentRecordings = () => {
  const [left, show] = useState<readonly Found[]>([])
  useEffect(() => {
    void lookForLeft().then(show, () => {})
  }, [])
  const without = (id: string) => show((now) => now.filter((one) => one.id !== id))
  return (
    <>
      {left.map((one) => (
        <OneLeft key={one.id} one={one} onGone={() => without(one.id)} />
      ))}
    </>
  )
}

/** Uploads recordings that the user had finished or cancelled. */
async function lookForLeft(): Promise<Found[]> {
  const found: Found[] = []
  // Recording requires a secure context.
  if (!isSecureContext) return found
  for (const one of await leftInSpool()) {
    if (one.state !== 'recording') {
      void sendLeft(one, one.state).catch(noteFault)
      continue
    }
    const seconds = await spooledSeconds(one.id)
    // Under one second: its first block was not written.
    if (seconds === 0) await removeSpooled(one.id)
    else found.push({ ...one, seconds })
  }
  return found
}

const samplesIn = async ({ id }: Spooled) => (await spooledBlocks(id)).map(({ samples }) => samples)

async function sendLeft(one: Spooled, state: Spooled['state']): Promise<string> {
  const releaseLock = holdSpooled(one.id)
  try {
    const blocks = await samplesIn(one)
    const { id } = await sendRecording({ recording: { ...one, state }, blocks })
    return id
  } finally {
    releaseLock()
  }
}

const OneLeft = ({ one, onGone }: { one: Found; onGone: () => void }) => {
  const [sound, play] = useState<string | null>(null)
  const { record } = strings.value
  useEffect(() => () => (sound === null ? undefined : URL.revokeObjectURL(sound)), [sound])
  const send = async () => {
    onGone()
    try {
      showCapture(await sendLeft(one, 'finished'))
      note(record.sent)
    } catch (error) {
      noteFault(error)
    }
  }
  const discard = () => {
    onGone()
    const sending = sendLeft(one, 'cancelled')
    sending.catch(noteFault)
    offerUndo(record.discarded, async () => {
      const id = await sending
      await request(`/captures/${id}/restore`, { method: 'POST' })
      showCapture(id)
    })
  }
  const listen = async () => {
    play(URL.createObjectURL(wavOf(await samplesIn(one), one.rate)))
  }
  const values = {
    time: clockTime(one.seconds),
    when: one.startedAt.toLocaleString(pageLanguage.value, { dateStyle: 'medium', timeStyle: 'short' }),
  }
  return (
    <section class="card leftover" aria-label={record.leftOver}>
      <p>{filled(record.leftOverOf, values)}</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => void send()}>
          {record.send}
        </button>
        {sound === null && (
          <button type="button" onClick={() => void listen()}>
            <Icon name="play" isFull />
            {record.play}
          </button>
        )}
        {sound !== null && <RecordingSound src={sound} isPlaying />}
        <button type="button" class="danger" onClick={discard}>
          {record.discard}
        </button>
      </div>
    </section>
  )
}
