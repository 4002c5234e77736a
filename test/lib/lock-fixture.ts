// Takes the instance lock of a folder, prints the result, and runs until its input ends or it is killed.

import { takeInstanceLock } from '../../src/lib/lock.ts'

const lock = await takeInstanceLock(process.argv[2]!)
console.log(lock.ok ? 'taken' : lock.failure.message)
for await (const _ of Bun.stdin.stream());
