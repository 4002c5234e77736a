// How a ticket is taken from an address, so that all routes that a page opens without a header name it alike.
// What it is worth is decided before routing (server/access.ts).

import { Type } from '@sinclair/typebox'
import { text } from '../contract/schema.ts'

export const ticketInQuery = Type.Optional(
  text({
    description: 'of POST /session, where a token is demanded and no header can be sent',
    maxLength: 100,
  }),
)
