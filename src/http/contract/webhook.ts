// A webhook as the OpenAPI document describes it.

import type { Hoist, JsonObject } from './schema-hoister.ts'

export type Webhook = {
  name: string
  /** a path item of OpenAPI, its schemas handed to `hoist` */
  describe(hoist: Hoist): JsonObject
}
