// Help about more than one command.

import { describeSettings, type Environment, settingDescriptions } from '../../config.ts'

const EXIT_CODES: [code: number, meaning: string][] = [
  [0, 'done'],
  [1, 'failed, or some of several failed'],
  [2, 'wrong arguments or options; verify and rebuild: the data folder cannot be read'],
  [3, 'no server responds, or the server refused the request'],
  [4, 'the server requires a token, and the one that was sent, if any, is wrong'],
  [5, 'not found'],
  [130, 'interrupted'],
  [143, 'ended by SIGTERM, in commands that have no work to finish'],
]

export const exitCodesText = EXIT_CODES.map(([code, meaning]) => `  ${`${code}`.padEnd(5)}${meaning}`).join(
  '\n',
)

export const exitCodesData = EXIT_CODES.map(([code, meaning]) => ({ code, meaning }))

/** Only the command reads these. */
export const VARIABLES: [name: string, meaning: string][] = [
  ['DICTATION_URL', 'the address of the server [the running server, or one that the command starts]'],
  ['DICTATION_TRUST_SERVER', 'yes: skip the check that the server is your own program'],
  ['DICTATION_TOKEN', 'the token to send; otherwise it is read from the file that the server created (auto)'],
  ['BROWSER', 'the program that "dictation open" starts on Linux'],
]

export const environmentData = (env: Environment) => ({
  command: VARIABLES.map(([name, meaning]) => ({ name, meaning })),
  server: settingDescriptions(env),
})

export const environmentText = (env: Environment): string => `Variables of the command:
${VARIABLES.map(([name, meaning]) => `  ${name.padEnd(26)}${meaning}`).join('\n')}

Variables of the server, and of the commands that start it or read its folder [default]:
${describeSettings(env)}`
