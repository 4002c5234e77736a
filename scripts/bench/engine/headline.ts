// The summary in the last line of output: tiny.en in q5_1 on 11 s of a human voice, full window, 2 threads.

import { type Compared, PEERS, ratioTo } from './comparisons.ts'

const rounded = (value: number, digits: number) => Number(value.toFixed(digits))

/** `<peer>_over_ours` is null if the peer is not installed; times are in milliseconds. */
export const headlineOf = (compared: Compared): Record<string, number | string | null> => {
  const entries: [string, number | string | null][] = []
  for (const peer of PEERS) {
    if (compared.goals[peer] === undefined) continue
    const ratio = ratioTo(compared, peer)
    entries.push([`${peer}_over_ours`, ratio === null ? null : rounded(ratio, 2)])
  }
  entries.push(['ours_ms', rounded(compared.ours.ms, 1)])
  for (const [peer, found] of Object.entries(compared.peers)) {
    if (found) entries.push([`${peer}_ms`, rounded(found.result.ms, 1)], [`${peer}_is`, found.name])
  }
  return Object.fromEntries([...entries, ['measured', `${compared.title}, ${compared.threads} threads`]])
}
