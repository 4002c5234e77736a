// Compares the acknowledged recordings and jobs with the server's state.

import { sha256, withoutAudio } from '../support/kept-view.ts'
import type { RunningServer } from '../support/server.ts'
import { until } from '../support/until.ts'
import type { Witness } from './uploads.ts'

const DONE_WITHIN_MS = 600_000

/** @returns a message for each loss */
export async function losses({ url }: RunningServer, witness: Witness): Promise<string[]> {
  const lost = await withoutAudio((path, init) => fetch(url + path, init))
  for (const [id, { sha256: hash }] of witness) {
    const capture = await fetch(`${url}/captures/${id}`)
    await capture.body?.cancel()
    if (capture.status !== 200) {
      lost.push(`${id}: GET returned ${capture.status}`)
      continue
    }
    const audio = await fetch(`${url}/captures/${id}/audio`)
    if (sha256(await audio.arrayBuffer()) !== hash) lost.push(`${id}: its audio differs`)
  }
  return lost
}

const total = async ({ url }: RunningServer, query: string): Promise<number> =>
  ((await (await fetch(`${url}/${query}limit=1`)).json()) as { total: number }).total

/** Waits until every capture, acknowledged or recovered, has its text and every job has ended. */
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

/** Each acknowledged retranscription must have created one version. */
export async function wrongVersions(server: RunningServer, witness: Witness): Promise<string[]> {
  const wrong: string[] = []
  for (const [id, { acknowledged, requested }] of witness) {
    const versions = await total(server, `captures/${id}/versions?`)
    if (versions < acknowledged || versions > requested)
      wrong.push(
        `${id}: ${versions} versions after ${acknowledged} acknowledged and ${requested} requested retranscriptions`,
      )
  }
  return wrong
}
