// A request for a live socket answered: with one, where it is asked for and a place is free, or with the reason why not.
// What is said on it is the caller's (live-session.ts), how it ends live-socket.ts.

import type { DictationFailure } from '../../../dictation/choose-model.ts'
import type { Result } from '../../../lib/result.ts'
import type { Connection } from '../../contract/connection.ts'
import { failureResponse, SHUTTING_DOWN } from '../../contract/failure.ts'
import { asksForSocket, protocolsOffered } from '../../contract/handshake.ts'
import { type Problem, type ProblemCode, problemResponse } from '../../contract/problem.ts'
import { type LiveSessions, MOST_LIVE_SESSIONS } from './live-sessions.ts'
import type { LiveSocket } from './live-socket.ts'

/** Of every route whose answer is a live socket. */
export const LIVE_SOCKET_PROBLEMS = [
  'upgrade_required',
  'unknown_model',
  'unsupported_language',
  'queue_full',
  'model_not_installed',
  'model_unreadable',
  'engine_unavailable',
  'shutting_down',
] as const satisfies readonly ProblemCode[]

export type OpeningDeps = {
  liveSessions: LiveSessions
  /** fires when the server stops: what was said so far is told, and the socket closed */
  shutdown: AbortSignal
}

type Opening = {
  request: Request
  connection: Connection
  /** what keeps it from being opened, besides */
  refusal?: () => Promise<Problem | null>
  /** the subprotocol that is spoken, where the client offers it */
  protocol?: string
  /** the place is given back by whom it is opened for */
  begin: (onOver: () => void) => Promise<Result<LiveSocket, DictationFailure>>
}

const UPGRADE_REQUIRED: Problem = {
  code: 'upgrade_required',
  detail: 'Audio is sent here on a WebSocket; POST /transcribe takes a whole recording.',
  headers: { upgrade: 'websocket' },
}
const SESSIONS_FULL: Problem = {
  code: 'queue_full',
  detail: `${MOST_LIVE_SESSIONS} people are listened to already; try again when one of them is done.`,
  headers: { 'retry-after': '10' },
}

export async function openSocket(
  { liveSessions, shutdown }: OpeningDeps,
  opening: Opening,
): Promise<Response> {
  const { request, connection, refusal, protocol, begin } = opening
  if (!asksForSocket(request)) return problemResponse(UPGRADE_REQUIRED)
  if (shutdown.aborted) return problemResponse(SHUTTING_DOWN)
  const refused = await refusal?.()
  if (refused) return problemResponse(refused)
  const leave = liveSessions.enter()
  if (leave === null) return problemResponse(SESSIONS_FULL)
  const beginning = begin(leave)
  beginning.then(({ ok }) => ok || leave(), leave)
  const begun = await beginning
  if (!begun.ok) return failureResponse(begun.failure)
  const spoken = protocol !== undefined && protocolsOffered(request).includes(protocol) ? protocol : null
  if (connection.upgrade(begun.value.listener, spoken)) return new Response(null, { status: 101 })
  begun.value.drop()
  return problemResponse(UPGRADE_REQUIRED)
}
