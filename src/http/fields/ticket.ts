// The `ticket` query parameter of routes that a page opens without headers. server/access.ts checks it before routing.

import { Type } from '@sinclair/typebox'
import { text } from '../contract/schema.ts'

export const ticketInQuery = Type.Optional(
  text({
    description: 'a ticket of POST /session, if a token is required and the client cannot send a header',
    maxLength: 100,
  }),
)
