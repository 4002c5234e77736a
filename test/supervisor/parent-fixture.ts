// Starts a child, prints its process id once it works, and ends by itself. With `wait` it gives the child a request that
// never ends, so the parent does not end either.

import { resolve } from 'node:path'
import { startChild } from '../../src/supervisor/child.ts'
import type { Fixture } from './child-fixture.ts'

const child = startChild<Fixture['request'], Fixture['event'], Fixture['answer']>({
  script: resolve(import.meta.dir, 'child-fixture.ts'),
  serialization: 'json',
})
if (process.argv[2] === 'wait') void child.request('wait', { onEvent: () => console.log(child.pid) })
else void child.request('pid').then(() => console.log(child.pid))
