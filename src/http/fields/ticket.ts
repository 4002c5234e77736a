// How the ticket of a socket is taken from an address, so that all sockets name it alike.
// What it is worth is decided before routing (server/access.ts).

import { text } from '../contract/schema.ts'

export const ticketInQuery = text({
  description: 'of POST /session, where a token is demanded and neither a header nor the cookie can be sent',
  maxLength: 100,
})
