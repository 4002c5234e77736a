// The promises after hours of use, and the measured figures. Only the settled part of a run counts: the first third fills
// caches.

import type { Row } from '../../scripts/bench/table.ts'
import { median } from '../../scripts/bench/table.ts'
import { ROLES, type Role } from '../support/children.ts'
import type { Answer } from './client.ts'
import type { Resources } from './processes.ts'
import type { Sample } from './samples.ts'
import { settled, type Trend, trendOf } from './trend.ts'

export type Run = {
  samples: Sample[]
  answers: Answer[]
  faults: string[]
  /** response times of the yardstick server */
  yardstick: { atHours: number; tookMs: number }[]
}

export type Verdict = { rows: Row[]; broken: string[] }

const MAX_MIB_PER_HOUR = 2
/** Median over all routes, relative to the yardstick, which shows the machine's own drift. */
const MAX_DRIFT = 1.25
/** Limit of printed faults of a kind. */
const MAX_PRINTED = 20

const CHILDREN = ROLES.filter((role) => role !== 'server')

/** Also for the shortest run. */
export function judgeLeftovers({ samples, faults }: Run): Verdict {
  const { leftovers } = samples.at(-1)!
  const broken = [
    ...faults.slice(0, MAX_PRINTED).map((fault) => `unexpected response: ${fault}`),
    ...leftovers.slice(0, MAX_PRINTED).map((path) => `file left: ${path}`),
    ...ROLES.filter((role) => hasGrown(samples, ({ held }) => held[role].files / held[role].processes)).map(
      (role) => `the ${role} opens more and more files`,
    ),
  ]
  return {
    rows: [
      ...ROLES.map((role) => ({ what: `${role}: open files`, value: fromTo(samples, role, 'files') })),
      { what: 'files left', value: String(leftovers.length) },
      { what: 'unexpected responses', value: String(faults.length) },
    ],
    broken,
  }
}

/** Threads vary with the work, and sockets with the clients. */
export function judgeThreads({ samples }: Run): Verdict {
  const broken = ROLES.flatMap((role) => [
    ...(hasGrown(samples, ({ held }) => held[role].threads) ? [`the ${role} has more and more threads`] : []),
    ...(hasGrown(samples, ({ held }) => held[role].sockets) ? [`the ${role} has more and more sockets`] : []),
  ])
  return {
    rows: [
      ...ROLES.map((role) => ({ what: `${role}: threads`, value: fromTo(samples, role, 'threads') })),
      { what: 'server: sockets', value: fromTo(samples, 'server', 'sockets') },
    ],
    broken,
  }
}

const fromTo = (samples: Sample[], role: Role, key: keyof Resources): string => {
  const [first, last] = [settled(samples)[0]!, samples.at(-1)!]
  return `${first.held[role][key]} → ${last.held[role][key]}`
}

/** Fewer samples cannot distinguish growth from first use. */
const FEW_SAMPLES = 6
const OPENED_AT_FIRST_USE = 4

/** A flat series returns to an earlier value at least once in its last third. */
function hasGrown(samples: Sample[], of: (sample: Sample) => number): boolean {
  const seen = settled(samples).map(of)
  const part = Math.ceil(seen.length / 3)
  const slack = seen.length < FEW_SAMPLES ? OPENED_AT_FIRST_USE : 0
  return Math.min(...seen.slice(-part)) > Math.max(...seen.slice(0, part)) + slack
}

/** Per process, because some have a spare one at times. */
const memoryOf = ({ ownMib, processes }: Resources): number => ownMib / Math.max(1, processes)

/** Whether the result is certain: the server grows by less than the limit, or by more. */
export const isMemoryClear = ({ samples }: Pick<Run, 'samples'>): boolean => {
  const { low, high } = trendOfMemory(samples, ['server'])
  return high <= MAX_MIB_PER_HOUR || low > MAX_MIB_PER_HOUR
}

/**
 * The server runs for months, so the upper bound of its growth counts. Its children are replaced when they have grown, and
 * their memory varies too much for certainty within an hour, so the estimate counts.
 */
export function judgeMemory({ samples }: Pick<Run, 'samples'>): Verdict {
  const rows = ROLES.map((role): Row => {
    const seen = settled(samples).map(({ held }) => memoryOf(held[role]))
    return {
      what: `${role}: memory, first settled sample → last`,
      value: `${mib(seen[0]!)} → ${mib(seen.at(-1)!)}`,
      note: `${asText(trendOfMemory(samples, [role]))}; very first sample ${mib(memoryOf(samples[0]!.held[role]))}`,
    }
  })
  const server = trendOfMemory(samples, ['server'])
  const children = trendOfMemory(samples, CHILDREN)
  const broken = [
    ...(server.high > MAX_MIB_PER_HOUR
      ? [`the memory of the server may grow by more than ${MAX_MIB_PER_HOUR} MiB/h: ${asText(server)}`]
      : []),
    ...(children.perHour > MAX_MIB_PER_HOUR
      ? [`the memory of its children grows by more than ${MAX_MIB_PER_HOUR} MiB/h: ${asText(children)}`]
      : []),
  ]
  return { rows, broken }
}

/**
 * Every sample counts: with four thousand operations between two, neighbors are no more alike than others. The residuals of
 * neighbors correlated by -0.3 over twelve samples and by -0.2 over eight.
 */
const trendOfMemory = (samples: Sample[], roles: readonly Role[]): Trend =>
  trendOf(
    settled(samples).map(({ atHours, held }) => ({
      atHours,
      value: roles.reduce((sum, role) => sum + memoryOf(held[role]), 0),
    })),
  )

export function judgeLatency({ answers, yardstick }: Run): Verdict {
  const machine = lateToEarly(yardstick)
  const routes = [...Map.groupBy(answers, ({ route }) => route).values()].filter((of) => of.length >= 30)
  const drift = median(routes.map(lateToEarly)) / machine
  const p50 = median(answers.map(({ tookMs }) => tookMs))
  return {
    rows: [
      { what: 'responses, all routes', value: String(answers.length), note: `p50 ${p50.toFixed(1)} ms` },
      {
        what: 'p50 of the last third of the settled time ÷ that of the first, median of the routes',
        value: (drift * machine).toFixed(2),
        note: `an empty server meanwhile: ${machine.toFixed(2)}`,
      },
    ],
    broken: drift > MAX_DRIFT ? [`responses take ${drift.toFixed(2)} times as long at the end`] : [],
  }
}

function lateToEarly(times: { atHours: number; tookMs: number }[]): number {
  const of = settled(times)
  const third = Math.ceil(of.length / 3)
  const p50 = (some: typeof times) => median(some.map(({ tookMs }) => tookMs))
  return p50(of.slice(-third)) / p50(of.slice(0, third))
}

const mib = (value: number) => `${value.toFixed(1)} MiB`
const signed = (value: number) => `${value >= 0 ? '+' : ''}${value.toFixed(1)}`
const asText = ({ perHour, low, high }: Trend) =>
  `${signed(perHour)} MiB/h, with 95 % certainty from ${signed(low)} to ${signed(high)}`
