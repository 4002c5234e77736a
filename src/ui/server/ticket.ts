// Addresses for requests that cannot set a header: event streams, sockets, `<audio>`, downloads. If the server requires
// a token, each carries a ticket that authorises it.

import { request } from './request.ts'
import { hasSession } from './session.ts'
import type { SessionAnswer } from './wire.ts'

/** Unchanged without a session. @throws Refused, Unreachable */
export const addressFor = async (address: string): Promise<string> =>
  hasSession() && address.startsWith('/') ? ticketed(address) : address

/**
 * Requests a ticket even without a session: if the server requires its token, the response says so. @throws Refused,
 * Unreachable
 */
export const ticketed = (address: string): Promise<string> =>
  withTicket(address, { ticket: true, path: address.split('?')[0]! })

/** @throws Refused, Unreachable */
export async function socketAddress(address: string): Promise<string> {
  const socket = `${location.origin.replace(/^http/, 'ws')}${address}`
  return hasSession() ? withTicket(socket, { ticket: true }) : socket
}

async function withTicket(address: string, wanted: { ticket: true; path?: string }): Promise<string> {
  const { ticket } = await request<SessionAnswer>('/session', { method: 'POST', json: wanted })
  return ticket === null ? address : `${address}${address.includes('?') ? '&' : '?'}ticket=${ticket}`
}
