// What OpenAI's client throws of an answer that refuses.

import { expect } from 'bun:test'
import OpenAI from 'openai'

/** Fails the test where the work succeeds, or throws what is none of the client's own errors. */
export async function failure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(OpenAI.APIError)
  return error as InstanceType<typeof OpenAI.APIError>
}
