// Addresses for what cannot send a header: event streams, sockets, <audio>, downloads. Where the server demands a token,
// each ends in a ticket that opens it. The session that a ticket is given for is session.ts.

import { ask } from './ask.ts'
import { hasSession } from './session.ts'
import type { SessionAnswer } from './wire.ts'

/** As it is where there is no session. @throws Refused, Unreachable */
export const addressFor = async (address: string): Promise<string> =>
  hasSession() && address.startsWith('/') ? ticketed(address) : address

/** Asks also without a session: where the server wants its token, the answer says so. @throws Refused, Unreachable */
export const ticketed = (address: string): Promise<string> =>
  withTicket(address, { ticket: true, path: address.split('?')[0]! })

/** @throws Refused, Unreachable */
export async function socketAddress(address: string): Promise<string> {
  const socket = `${location.origin.replace(/^http/, 'ws')}${address}`
  return hasSession() ? withTicket(socket, { ticket: true }) : socket
}

async function withTicket(address: string, wanted: { ticket: true; path?: string }): Promise<string> {
  const { ticket } = await ask<SessionAnswer>('/session', { method: 'POST', json: wanted })
  return ticket === null ? address : `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`
}
