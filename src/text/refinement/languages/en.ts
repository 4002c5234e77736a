import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

const DAYS = list('monday | tuesday | wednesday | thursday | friday | saturday | sunday')
const MONTHS = list(`
  january | february | april | june | july | august | september | october | november | december
`)
/** Also verbs: they are months only after these words. */
const MARCH_AND_MAY = list('in | since | until | till | of | early | late').flatMap((before) => [
  `${before} march`,
  `${before} may`,
])

export const english: LanguageData = {
  code: 'en',
  spaced: true,
  hesitation: /^(?:u+h+m*|u+m+|a+h+m+|e+r+m*|e+h+m+|h+m+|m{2,}h*m*)$/u,
  spared: ['to er', 'err', 'uh huh', 'uh oh', 'mm hmm', 'mm hm'],
  discourse: {
    initial: list(`
      you know | you know what i mean | i mean | like | you see
    `),
    between: list(`
      you know | you know what i mean | you see | like | sort of | kind of | kinda | sorta | ah |
      i guess you could say | if you know what i mean
    `),
    final: list(`
      you know | you know what i mean | if you know what i mean | and stuff | or whatever
    `),
  },
  openers: list(`
    yes | yeah | yep | no | nope | well | okay | ok | hello | hi | hey | good morning | good afternoon |
    good evening | thanks | thank you | sorry | sure | right | dear | first | second | third | next |
    finally | however | anyway | oh | great | alright | actually | unfortunately | in fact |
    for example | by the way | honestly | of course | in general | as i said | to be honest |
    in the end | meanwhile | obviously | on the other hand | at first
  `),
  commaBefore: list(`
    but | because | which | who | although | though | while | please | and then | and i | and we |
    and it | and he | and she | and they | and so | so i | so we | so that | so it | so you | so they
  `),
  conjunctions: list(`
    and | but | so | because | or | well | then | okay | yeah | no | yes
  `),
  subjects: list(`
    i | we | you | he | she | they | it | i'm | we're | you're | he's | she's | they're | it's | i'll |
    we'll | i've | we've | that's | there's
  `),
  verbs: list(`
    is | are | was | were | has | had | will | would | can | could | should | must | does | did | isn't |
    aren't | wasn't | won't | can't | doesn't | works | looks | seems | sounds | fits | costs | needs |
    makes | came | went | took | said
  `),
  stutters: list(`
    i | we | you | he | she | they | it | the | a | an | and | but | or | if | of | to | for | from |
    with | at | by | as | my | our | your | their | its | his | this | these | those | what | when |
    where | why | how | who | because | can | could | should | would | was | were | are | am | into |
    i'm | i'll | i've | i'd | we're | we'll | we've | you're | you'll | it's | it'll | that's |
    there's | they're | he's | she's | what's | let's | don't | can't | won't | didn't | doesn't |
    isn't | about | then | does | did | has | than | whether | also | just | need to | want to |
    going to | have to | trying to | kind of a | some | any | have | is it | is there | is this |
    do you | do we | do i | will you | in the | in a | on the | on a | that the | that we | that i |
    that you | that it | so i | so we | so the | so you | have a | had a | there is | there are |
    this is | that is | one of the | is the | is a | not a | to be | if you | you can | let me |
    let us | might | may | must | which | while | after | before | since | through | between | without |
    i will | we will | you will | they will | it will | he will | she will | i do | i did | i have |
    we have | i had | i just | i think | i guess | i don't | we don't
  `),
  isNumber: numberWords('en', {
    more: list('one | oh | half | noon | midnight | double | triple'),
    ordinals: true,
  }),
  corrections: {
    retractions: list(`
      scratch that | strike that | no scratch that | wait scratch that | actually scratch that |
      no strike that | oh scratch that | sorry scratch that | no wait scratch that | no forget that
    `),
    strong: list(`
      no wait | wait no | no no wait | oh wait no | oh no wait | no sorry | sorry no | no i mean |
      no i meant | i meant | sorry i mean | sorry i meant | or rather | no actually | actually no |
      wait no i mean | no wait i mean | wait i mean | wait i meant | scratch that | strike that |
      no scratch that | no make that | make that | correction | i mean to say | well actually no |
      oops i mean | oh sorry | oh i mean | no sorry i mean | no sorry i meant | wait sorry |
      wait actually | no wait actually | excuse me i mean | let me correct that | hold on no |
      uh no wait | or should i say
    `),
    weak: list(`
      i mean | sorry | no | wait | actually | rather | oops | pardon | excuse me | well actually |
      or actually
    `),
    kinds: [
      list(`
        monday | tuesday | wednesday | thursday | friday | saturday | sunday | today | tomorrow |
        tonight | yesterday | mondays | tuesdays | wednesdays | thursdays | fridays | saturdays |
        sundays
      `),
      list(`
        january | february | march | april | may | june | july | august | september | october | november |
        december
      `),
      ['am', 'pm', 'a.m', 'p.m'],
      ['morning', 'afternoon', 'evening', 'night'],
      ['left', 'right'],
      list(`
        red | green | blue | yellow | black | white | orange | purple | pink | brown | gray | grey
      `),
      ['week', 'month', 'year', 'day', 'quarter'],
      list(`
        weeks | months | years | days | hours | minutes | seconds | quarters
      `),
      ['him', 'her', 'them', 'me', 'us'],
      ['dollars', 'euros', 'pounds', 'cents'],
      ['north', 'south', 'east', 'west'],
    ],
    articles: ['the', 'a', 'an'],
  },
  determiners: list(`
    the | a | an | this | that | these | those | my | your | his | her | its | our | their | each |
    every | any | no | some | one | another | other | called | word | words | missing | extra | first |
    second | third | last | next | final | single | double | of | by | with | without | as | big | same |
    and a | or
  `),
  spokenMarks: [
    {
      say: ['comma'],
      write: ',',
      alone: true,
      notAfter: list(`
        oxford | serial | trailing | inverted | decimal | harvard
      `),
      notBefore: list(`
        separated | delimited | splice | splices | key | is | was | after | before | between | in the |
        goes | rule | here | there | and the | or the | or a
      `),
    },
    {
      say: ['period'],
      noun: true,
      write: '.',
      notAfter: ['in', 'per', 'during', 'menstrual', 'grace', 'incubation', 'cooling off'],
      adjectives: list(`
        short | long | brief | time | trial | grace | waiting | holiday | notice | incubation | whole |
        entire | early | late | later | current | previous | following | given | certain | historical |
        victorian | accounting | billing | reporting | transition | busy | quiet | menstrual | free |
        test | probation | exam | fiscal | month | year | day | week | hour | minute | cooling-off |
        review | rest | growth | class | lunch | fourth | limited | longer | shorter | difficult |
        interim | medieval | jurassic | testing | payment | warranty | trial | peak | settling | deposit
      `),
      notBefore: list(`
        of | drama | piece | pain | pains | between | during | from | in | is | was | ends | ended |
        starts | began | begins | when | where | costume | instruments | after | before | key |
        at the end | that | has | will | for
      `),
    },
    { say: ['full stop'], write: '.', alone: true, notBefore: ['at', 'is', 'after'] },
    {
      say: ['question mark'],
      write: '?',
      alone: true,
      notBefore: ['over', 'is', 'about', 'at', 'key', 'after'],
    },
    {
      say: ['exclamation mark', 'exclamation point'],
      write: '!',
      alone: true,
      notBefore: ['is', 'at', 'after'],
    },
    {
      say: ['colon'],
      write: ':',
      alone: true,
      notBefore: list(`
        cancer | surgery | cleanse | is | and | or | after | health
      `),
    },
    {
      say: ['semicolon', 'semi colon'],
      write: ';',
      alone: true,
      notBefore: ['is', 'after', 'at', 'separated'],
    },
    { say: ['ellipsis', 'dot dot dot'], write: '...', alone: true, notBefore: ['is'] },
    {
      say: ['em dash', 'dash'],
      write: ' –',
      notAfter: list(`
        to | will | must | we | they | i | you | gotta | would | quick | mad | meter | metre | dash |
        hundred-meter
      `),
      notBefore: list(`
        of | to | for | off | out | across | board | cam | camera | through | into | dash | is | key
      `),
    },
    {
      say: ['new line', 'newline', 'next line', 'line break'],
      write: '\n',
      notAfter: list(`
        brand | whole | entire | in | on | launch | add | insert | start
      `),
      notBefore: list(`
        of | item | items | manager | character | characters | is | in | for | that | which | at |
        between | after | reads | please
      `),
    },
    {
      say: ['new paragraph', 'next paragraph', 'paragraph break'],
      write: '\n\n',
      notAfter: ['brand', 'whole', 'in', 'add', 'insert', 'start', 'begin'],
      notBefore: list(`
        is | about | in | for | that | on | should | of | at | between | after | explains | please
      `),
    },
    {
      say: list(`
        open paren | open parenthesis | open parentheses | left paren | left parenthesis | open bracket
      `),
      write: '(',
      closedBy: {
        say: list(`
          close paren | close parenthesis | close parentheses | closed paren | closed parenthesis |
          right paren | right parenthesis | close bracket
        `),
        write: ')',
      },
    },
    {
      say: ['open square bracket', 'left bracket'],
      write: '[',
      closedBy: { say: ['close square bracket', 'right bracket'], write: ']' },
    },
    {
      say: list(`
        open quote | open quotes | begin quote | open quotation marks | open quotation mark
      `),
      write: '"',
      closedBy: {
        say: list(`
          close quote | close quotes | closed quote | end quote | unquote | close quotation marks |
          close quotation mark | end of quote
        `),
        write: '"',
      },
    },
  ],
  symbols: {
    dot: ['dot'],
    at: ['at'],
    underscore: ['underscore'],
    slash: ['slash', 'forward slash'],
    colon: ['colon'],
    dash: ['dash'],
  },
  abbreviations: list(`
    mr | mrs | ms | dr | prof | st | jr | sr | vs | etc | no | inc | ltd | approx | dept | fig | ave |
    gen | rev | est | jan | feb | aug | sept | oct | nov | dec | gov | sgt | capt
  `),
  names: [
    ...DAYS.map((day) => `${day}s`),
    ...[...DAYS, ...MONTHS].flatMap((name) => [name, `${name}'s`]),
    ...MARCH_AND_MAY,
  ],
  salutations: list(`
    dear | hi | hello | hey | good morning | good afternoon | good evening | best regards | kind regards |
    best | thanks | many thanks | sincerely | yours sincerely | regards | cheers
  `),
}
