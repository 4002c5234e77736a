// Tests both ways to query the kernel. Those with another user need root.

import { afterAll, describe, expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { findInTables, openSocketDiag, openSocketOwners } from '../../src/lib/socket-owner.ts'
import { until } from '../support/until.ts'
import { connectAs, NOBODY, whyNoOthers } from '../support/users.ts'

const isLinux = process.platform === 'linux'
const accepted: Socket[] = []
const open = async (host: string) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    accepted.push(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as { port: number }
  return { server, ours: { address: host, port } }
}
const v4 = await open('127.0.0.1')
const v6 = await open('::1').catch(() => null)
const diag = isLinux ? openSocketDiag() : null
afterAll(() => {
  for (const socket of accepted) socket.destroy()
  for (const one of [v4, v6]) one?.server.close()
  diag?.close()
})

const theirsOf = ({ remoteAddress, remotePort }: Socket) => ({ address: remoteAddress!, port: remotePort! })

/** A connection from this process, and its remote end as the server sees it. */
async function connected(port: number, host: string) {
  const before = accepted.length
  const socket = connect(port, host)
  socket.on('error', () => {})
  await until(() => accepted.length > before)
  return { socket, theirs: theirsOf(accepted.at(-1)!) }
}

test('returns null on systems other than Linux', () => {
  const owners = openSocketOwners(v4.ours)
  expect(owners !== null).toBe(isLinux)
  owners?.close()
})

const ways = [
  ['netlink', diag?.find],
  ['/proc/net', findInTables],
] as const
for (const [way, find] of ways) {
  describe.skipIf(!isLinux || find === undefined)(`over ${way}`, () => {
    for (const [what, host, at] of [
      ['IPv4', '127.0.0.1', v4],
      ['IPv6', '::1', v6],
      ['IPv4 on an IPv6 socket', '::ffff:127.0.0.1', v4],
    ] as const) {
      test.skipIf(at === null)(`finds the owner of a connection over ${what}`, async () => {
        const { socket, theirs } = await connected(at!.ours.port, host)
        const row = find!(theirs, at!.ours)
        expect(row?.uid).toBe(process.getuid!())
        expect(row?.inode).toBeGreaterThan(0)
        socket.destroy()
      })
    }

    test('finds nothing where there is no connection, even if a socket listens there', () => {
      expect(
        find!({ address: '127.0.0.1', port: v4.ours.port }, { address: '127.0.0.1', port: 1 }),
      ).toBeNull()
      expect(find!({ address: '127.0.0.1', port: 1 }, v4.ours)).toBeNull()
    })

    test.skipIf(whyNoOthers !== null)('finds a connection of another user', async () => {
      const before = accepted.length
      using _other = connectAs(NOBODY, v4.ours.port)
      await until(() => accepted.length > before)
      expect(find!(theirsOf(accepted.at(-1)!), v4.ours)?.uid).toBe(NOBODY)
    })
  })
}

test.skipIf(!isLinux)('a closed connection has no owner, although the kernel reports root', async () => {
  const owners = openSocketOwners(v4.ours)!
  const { socket, theirs } = await connected(v4.ours.port, '127.0.0.1')
  expect(owners.ownerOf(theirs, v4.ours)).toBe(process.getuid!())
  // Our end stays open, so theirs waits for it to close; the kernel lists such a socket as root's.
  accepted.at(-1)!.pause()
  socket.destroy()
  await until(() => diag?.find(theirs, v4.ours)?.inode === 0)
  expect(owners.ownerOf(theirs, v4.ours)).toBeNull()
  accepted.at(-1)!.destroy()
  expect(owners.ownerOf(theirs, v4.ours)).toBeNull()
  owners.close()
})
