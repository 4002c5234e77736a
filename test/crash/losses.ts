// What of the acknowledged recordings is not as it was sent, or was not done as it was promised.
// Asks the server; what lies in its folder is support/leftovers.ts.

import { sha256, withoutAudio } from '../support/kept-view.ts'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import type { Witness } from './uploads.ts'

const DONE_WITHIN_MS = 600_000

/** A sentence for each. */
export async function losses({ url }: RunningServer, witness: Witness): Promise<string[]> {
  const lost = await withoutAudio((path, init) => fetch(url + path, init))
  for (const [id, { sha256: hash }] of witness) {
    const capture = await fetch(`${url}/captures/${id}`)
    await capture.body?.cancel()
    if (capture.status !== 200) {
      lost.push(`${id}: GET answered ${capture.status}`)
      continue
    }
    const audio = await fetch(`${url}/captures/${id}/audio`)
    if (sha256(await audio.arrayBuffer()) !== hash) lost.push(`${id}: its audio differs`)
  }
  return lost
}

const total = async ({ url }: RunningServer, query: string): Promise<number> =>
  ((await (await fetch(`${url}/${query}limit=1`)).json()) as { total: number }).total

/** Every capture, acknowledged or found again, comes to an end with its text; and every job. */
export async function untilDone(server: RunningServer): Promise<void> {
  const unfinished = ['pending', 'transcribing', 'refining', 'failed'].map((one) => `captures?status=${one}&`)
  const queries = [...unfinished, 'jobs?state=waiting&', 'jobs?state=active&']
  await until(
    async () => {
      for (const query of queries) if ((await total(server, query)) > 0) return false
      return true
    },
    { timeoutMs: DONE_WITHIN_MS, what: 'every capture and every job to be completed' },
  )
}

/** Each retranscription that was promised has left a version, and none has left two. */
export async function wrongVersions(server: RunningServer, witness: Witness): Promise<string[]> {
  const wrong: string[] = []
  for (const [id, { promised, asked }] of witness) {
    const versions = await total(server, `captures/${id}/versions?`)
    if (versions < promised || versions > asked)
      wrong.push(`${id}: ${versions} versions after ${promised} promised and ${asked} asked retranscriptions`)
  }
  return wrong
}
