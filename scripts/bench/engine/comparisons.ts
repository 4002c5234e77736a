// Compares our engine with its peers for one clip, one model and one thread count; every ratio is from the same rounds.

import type { ModelFile } from '../../../src/engine/engine.ts'
import { wordsApart } from '../../../test/support/speech.ts'
import { milliseconds, type Row, ratio, seconds } from '../table.ts'
import { openFasterWhisper } from './faster-whisper.ts'
import { middle, type Rounds, transcribeInTurn } from './in-turn.ts'
import { NO_NATIVE, openNative } from './native.ts'
import { openOurs } from './ours.ts'
import type { Case, Peer, PeerResult } from './peer.ts'
import { openShout } from './shout.ts'

export const PEERS = ['native', 'native_f16', 'shout', 'faster_whisper'] as const
export type PeerName = (typeof PEERS)[number]

export type Comparison = Case & {
  /** such as `11 s clip, tiny.en q5_1, full window` */
  title: string
  /** whether our window may be shorter than 30 s; the peers' never is */
  trim: boolean
  /** native's fastest type, if it is to be measured */
  half?: ModelFile
  /** minimum ratio of each peer's time to ours; other peers are not measured */
  goals: Partial<Record<PeerName, number>>
  maxTokenMs?: number
}

export type Compared = Pick<Comparison, 'title' | 'threads' | 'goals' | 'maxTokenMs'> & {
  ours: PeerResult
  loadMs: number
  /** null if a requested peer is not installed */
  peers: Partial<Record<PeerName, { name: string; result: PeerResult } | null>>
}

const openPeer = async (name: PeerName, comparison: Comparison): Promise<Peer | null> => {
  if (name === 'native') return openNative(comparison)
  if (name === 'native_f16')
    return comparison.half ? openNative({ ...comparison, model: comparison.half }) : null
  if (name === 'shout') return openShout(comparison)
  const python = process.env.FASTER_WHISPER_PYTHON
  return python ? openFasterWhisper(python, comparison) : null
}

const WHY_NOT: Record<PeerName, string> = {
  native: NO_NATIVE,
  native_f16: NO_NATIVE,
  shout: '',
  faster_whisper: 'no faster-whisper: give FASTER_WHISPER_PYTHON=/path/to/python',
}

export const compare = async (comparison: Comparison, rounds: Rounds): Promise<Compared> => {
  const ours = await openOurs(comparison, { trim: comparison.trim })
  const wanted = PEERS.filter((name) => comparison.goals[name] !== undefined)
  const opened = await Promise.all(
    wanted.map(async (name) => [name, await openPeer(name, comparison)] as const),
  )
  const here = opened.filter((one): one is readonly [PeerName, Peer] => one[1] !== null)
  const result = await transcribeInTurn<PeerName | 'ours'>({ ours, ...Object.fromEntries(here) }, rounds)
  await Promise.all([ours, ...here.map(([, peer]) => peer)].map((peer) => peer.close()))
  const { title, threads, goals, maxTokenMs } = comparison
  return {
    title,
    threads,
    goals,
    ...(maxTokenMs && { maxTokenMs }),
    ours: middle(result.ours!),
    loadMs: ours.loadMs,
    peers: Object.fromEntries(
      opened.map(([name, peer]) => [name, peer && { name: peer.name, result: middle(result[name]!) }]),
    ),
  }
}

export const ratioTo = ({ ours, peers }: Compared, name: PeerName): number | null => {
  const peer = peers[name]
  return peer ? peer.result.ms / ours.ms : null
}

const partsOf = ({ encodeMs, tokenMs }: PeerResult) =>
  encodeMs === undefined || tokenMs === undefined
    ? ''
    : `encoder ${seconds(encodeMs)}, ${milliseconds(tokenMs)} per token`

const peerRow = (compared: Compared, name: PeerName, where: string): Row => {
  const peer = compared.peers[name]
  if (!peer) return { what: `${where}: ${name} ÷ ours`, value: 'not measured', note: WHY_NOT[name] }
  const differs = wordsApart(peer.result.text, compared.ours.text) === 0 ? '' : 'another text'
  const notes = [seconds(peer.result.ms), partsOf(peer.result), differs]
  return {
    what: `${where}: ${name === 'native_f16' ? `${peer.name}, f16` : peer.name} ÷ ours`,
    value: ratio(peer.result.ms, compared.ours.ms),
    goal: `≥ ${compared.goals[name]!.toFixed(1)}`,
    note: notes.filter((note) => note !== '').join('; '),
  }
}

export const rowsOf = (compared: Compared): Row[] => {
  const { title, threads, ours, peers, maxTokenMs } = compared
  const where = `${title}, ${threads} thread${threads === 1 ? '' : 's'}`
  const token = { what: `${where}: a token`, value: milliseconds(ours.tokenMs ?? 0) }
  return [
    { what: `${where}: ours`, value: seconds(ours.ms), note: partsOf(ours) },
    ...(Object.keys(peers) as PeerName[]).map((name) => peerRow(compared, name, where)),
    ...(maxTokenMs ? [{ ...token, goal: `≤ ${maxTokenMs} ms` }] : []),
  ]
}
