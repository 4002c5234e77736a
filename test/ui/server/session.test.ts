// Sessions across tabs: late or repeated 401s, and what tabs pass on to each other. Each tab is the real module, loaded
// once more.

import { expect, test } from 'bun:test'
import { until } from '../../support/until.ts'

type Tab = typeof import('../../../src/ui/server/session.ts')

const openTab = (): Promise<Tab> => import(`../../../src/ui/server/session.ts?${crypto.randomUUID()}`)

test('a session that ended is not restored from a tab that has not noticed', async () => {
  const [first, second, third] = [await openTab(), await openTab(), await openTab()]
  for (const tab of [first, second]) tab.beginSession('dead')
  // Two parallel requests of the session, and one sent between their responses.
  for (const used of ['dead', 'dead', null]) first.endSession(used)
  expect(first.currentSession()).toBeNull()
  // Messages arrive in order: whatever the third tab accepts, the first was offered before.
  third.endSession(null)
  await until(() => third.currentSession() === 'dead')
  expect([first.currentSession(), first.isTokenWanted.value]).toEqual([null, true])
  second.beginSession('fresh')
  first.endSession(null)
  await until(() => first.currentSession() === 'fresh')
})

test('a late 401 for an earlier session does not affect a new one', async () => {
  const tab = await openTab()
  tab.beginSession('old')
  tab.endSession('old')
  tab.beginSession('fresh')
  for (const used of ['old', null]) tab.endSession(used)
  expect([tab.currentSession(), tab.isTokenWanted.value]).toEqual(['fresh', false])
})
