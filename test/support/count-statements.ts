// A preload for the server: writes to a file how many statements the server has sent to its embedded database.

import { writeFileSync } from 'node:fs'

const path = process.env.COUNT_STATEMENTS_IN
const { postMessage } = Worker.prototype
let count = 0

if (path !== undefined)
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    const [order] = sent
    const kind = typeof order === 'object' && order !== null && 'kind' in order ? order.kind : null
    if (kind === 'query' || kind === 'exec') writeFileSync(path, String(++count))
    return Reflect.apply(postMessage, this, sent)
  }
