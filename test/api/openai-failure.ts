// The error that OpenAI's client throws for a rejected request.

import { expect } from 'bun:test'
import OpenAI from 'openai'

/** Fails the test if the call succeeds or throws an error that is not the client's own. */
export async function failure(work: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> {
  const error = await work.then(
    () => null,
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(OpenAI.APIError)
  return error as InstanceType<typeof OpenAI.APIError>
}
