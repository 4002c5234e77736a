#!/usr/bin/env node
// The `dictation` command: runs it with this installation's Bun, in the folder in which it was typed. Needs only Node.

import { join } from 'node:path'
import { bunOrExit, root, runToEnd } from './bun-program.mjs'

// npm runs the scripts of package.json in the project folder, and says where it was called. A command elsewhere, which a
// script of npm started indirectly, inherits the same variables and runs where it is.
const { npm_package_json: packageFile, INIT_CWD: typedIn } = process.env
const isNpmScript = packageFile === join(root, 'package.json') && process.cwd() === root
const cwd = typedIn && isNpmScript ? typedIn : process.cwd()

// The settings of the folder in which a command runs (.env, bunfig.toml) do not count.
const flags = ['--no-install', '--no-env-file', `--config=${join(root, 'bunfig.toml')}`]
runToEnd(bunOrExit(), [...flags, join(root, 'src', 'cli', 'main.ts'), ...process.argv.slice(2)], { cwd })
