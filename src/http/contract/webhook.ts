// A request that the server makes to an address of a person's choice, as the document tells of it.
// What is sent, and when, is said by who sends it.

import type { Hoist, JsonObject } from './schema-hoister.ts'

export type Webhook = {
  name: string
  /** a path item of OpenAPI, its schemas handed to `hoist` */
  describe(hoist: Hoist): JsonObject
}
