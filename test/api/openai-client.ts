// OpenAI's client for npm, where it is on this machine, and what it throws of an answer that refuses.

import { expect } from 'bun:test'
import type OpenAI from 'openai'
import { tool } from '../support/tools.ts'

/** Null where it is not installed. */
export const openai = await tool('openai', () => import('openai'))

/** Fails the test where the work succeeds, or throws what is none of the client's own errors. */
export async function failure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(openai!.APIError)
  return error as InstanceType<typeof OpenAI.APIError>
}
