// Sessions of the page's tabs: what a late or repeated 401 does, and what tabs pass on to each other.
// Each tab is the real module, loaded once more; signing in with a browser is test/browser/sign-in.test.ts.

import { expect, test } from 'bun:test'
import { until } from '../support/until.ts'

type Tab = typeof import('../../src/ui/server/session.ts')

const openTab = (): Promise<Tab> => import(`../../src/ui/server/session.ts?${crypto.randomUUID()}`)

test('a session that ended is not taken back from a tab that has not noticed', async () => {
  const [first, second, third] = [await openTab(), await openTab(), await openTab()]
  for (const tab of [first, second]) tab.beginSession('dead')
  // Two requests of the session in parallel, and one that was sent between their answers.
  for (const used of ['dead', 'dead', null]) first.endSession(used)
  expect(first.currentSession()).toBeNull()
  // Messages arrive in order: what the third tab takes, the first has been offered.
  third.endSession(null)
  await until(() => third.currentSession() === 'dead')
  expect([first.currentSession(), first.isTokenWanted.value]).toEqual([null, true])
  second.beginSession('fresh')
  first.endSession(null)
  await until(() => first.currentSession() === 'fresh')
})

test('a late 401 for an earlier session leaves a fresh one', async () => {
  const tab = await openTab()
  tab.beginSession('old')
  tab.endSession('old')
  tab.beginSession('fresh')
  for (const used of ['old', null]) tab.endSession(used)
  expect([tab.currentSession(), tab.isTokenWanted.value]).toEqual(['fresh', false])
})
