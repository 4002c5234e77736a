// Takes the instance lock of a folder, for a task if one is given, prints the result, and runs until its input ends or it is killed.

import { takeInstanceLock } from '../../src/lib/lock.ts'

const [folder, task] = process.argv.slice(2)
const lock = await takeInstanceLock(folder!, task === undefined ? {} : { task })
console.log(lock.ok ? 'taken' : lock.failure.message)
for await (const _ of Bun.stdin.stream());
