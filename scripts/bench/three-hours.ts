// Three hours of mp3 stored and transcribed by the server, with the memory of the server and its children meanwhile.
// Linux only; the mp3 is made with the local FFmpeg, without which nothing is measured.

import { join } from 'node:path'
import { resourcesOf } from '../../test/soak/processes.ts'
import { ROLES } from '../../test/support/children.ts'
import type { RunningServer } from '../../test/support/server.ts'
import { formWith, recording, recordingFile, wordsApart, wordsOf } from '../../test/support/speech.ts'
import { until } from '../../test/support/until.ts'
import { type Row, seconds } from './table.ts'
import { timed } from './transcribers.ts'

const CLIP = 'long-3-minutes.flac'
const TIMES = 60
const TIMEOUT_MS = 3_600_000
const SAMPLE_EVERY_MS = 2000

/** @param folder where the mp3 is created */
export async function measureThreeHours(
  { server, model }: { server: RunningServer; model: string },
  folder: string,
): Promise<Row[]> {
  const mp3 = join(folder, 'three-hours.mp3')
  if (!makeMp3(mp3)) {
    console.error('3 hours of mp3: not measured, because no FFmpeg with mp3 support was found')
    return []
  }
  const form = await formWith(mp3, { stt_model: model, language: 'en' })
  const held: number[] = []
  const sampling = setInterval(() => held.push(allHeld(server.pid)), SAMPLE_EVERY_MS)
  let text = ''
  const ms = await timed(async () => {
    const response = await fetch(`${server.url}/captures?wait=false`, { method: 'POST', body: form })
    if (response.status !== 202) throw new Error(`capture: ${response.status} ${await response.text()}`)
    const { id } = await response.json()
    text = await until(
      async () => {
        const { status, transcript_raw: raw } = await (await fetch(`${server.url}/captures/${id}`)).json()
        if (status === 'failed') throw new Error('the three hours were not transcribed')
        return status === 'completed' && raw
      },
      { timeoutMs: TIMEOUT_MS, what: 'three hours to be transcribed' },
    )
  })
  clearInterval(sampling)
  const third = Math.ceil(held.length / 3)
  const peak = (samples: number[]) => `${Math.max(...samples).toFixed(0)} MiB`
  const said = Array.from({ length: TIMES }, () => recording(CLIP).text).join(' ')
  return [
    {
      what: '3 hours of mp3: stored and transcribed by the server',
      value: seconds(ms),
      goal: '≤ 300 s',
      note: `${wordsApart(text, said)} of ${wordsOf(said).length} words wrong`,
    },
    {
      what: '3 hours of mp3: peak memory of the server and its children in the last third',
      value: peak(held.slice(-third)),
      goal: `≤ ${peak(held.slice(0, third))}`,
      note: 'the goal is the peak of the first third',
    },
  ]
}

function makeMp3(path: string): boolean {
  const loop = ['-stream_loop', String(TIMES - 1), '-i', recordingFile(CLIP).name!]
  const command = ['ffmpeg', '-loglevel', 'error', '-y', ...loop, '-c:a', 'libmp3lame', '-b:a', '64k', path]
  return Bun.which('ffmpeg') !== null && Bun.spawnSync(command).exitCode === 0
}

const allHeld = (pid: number): number => {
  const held = resourcesOf(pid)
  return ROLES.reduce((sum, role) => sum + held[role].ownMib, 0)
}
