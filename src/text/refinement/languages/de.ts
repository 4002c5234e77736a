import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

const EIN = '(?:[KkMmDdSs]?ein|Ein)'

/** Lowercase adjectives after an article that agrees with their ending. */
const DESCRIBED = new RegExp(
  `(?<!\\p{L})(?:(?:[Dd]e[nm]|[IiAa]m|[Vv]om|[Zz]um|[Bb]eim|${EIN}e[nm]|(?:[Dd]ies|[Jj]ed|[Jj]en)e[nm])(?: \\p{Ll}+en){1,2}|` +
    `(?:[Dd]e|[Dd]iese|[Jj]ede|[Jj]ene)r(?: \\p{Ll}+e){1,2}|${EIN}(?:(?: \\p{Ll}+er){1,2}|(?: \\p{Ll}+es){1,2}))$`,
  'u',
)

export const german: LanguageData = {
  code: 'de',
  spaced: true,
  // "um" and "er" are words, and so is "eh" in the south.
  hesitation: /^(?:ä+h*m*|ö+h+m*|e+h+m+|u+h+m+|u+h+|h+m+|m+h+m*|m{3,})$/u,
  discourse: {
    initial: list(`
      also | na ja also | sag ich mal | ich sag mal | sagen wir mal
    `),
    between: list(`
      weißt du | wissen sie | sag ich mal | ich sag mal | sage ich mal | ich sage mal | sagen wir mal |
      sozusagen | halt | quasi | ne | verstehst du | verstehen sie | wie soll ich sagen
    `),
    final: list(`
      weißt du | sag ich mal | sage ich mal | sozusagen | verstehst du | oder so | ne
    `),
  },
  openers: list(`
    ja | nein | hallo | okay | ok | gut | danke | guten morgen | guten tag | guten abend | hi | hey |
    ach | ach so | genau | klar | stimmt | doch | na gut | entschuldigung | liebe | lieber | richtig |
    nö | naja | na ja | tja | übrigens | natürlich | leider | zum beispiel | ehrlich gesagt
  `),
  commaBefore: list(`
    aber | sondern | denn | dass | weil | wenn | ob | obwohl | damit | während | bevor | nachdem |
    sodass | als ob | was | wer | wo | warum | wann | ich | du | er | wir | ihr | es | man | sie |
    falls | welche | welcher | welches | deren | dessen | woran | womit
  `),
  commaBetweenClauses: true,
  conjunctions: list(`
    und | aber | oder | weil | ja | nein | denn | okay | gut
  `),
  subjects: ['ich', 'du', 'er', 'sie', 'es', 'wir', 'ihr', 'man'],
  verbs: list(`
    ist | sind | war | waren | wäre | hat | hatte | wird | wurde | würde | kann | konnte | könnte | soll |
    sollte | muss | müsste | darf | will | passt | geht | klingt | scheint | reicht | kostet | gefällt |
    liegt | steht | bleibt
  `),
  verbsLast: true,
  stutters: list(`
    ich | du | er | es | wir | und | oder | aber | weil | wenn | dass | ein | eine | einen | einem |
    einer | im | am | zum | zur | vom | beim | von | für | zu | bei | dem | kann | muss | soll | mein |
    meine | unser | unsere | dieser | diese | dieses | man | ob | wie | warum | wo | wann | ist | hat |
    des | durch | gegen | ohne | könnte | sollte | würde | müssen | können | sollten | könnten | dann |
    kein | keine | auch | noch nicht | ins | über | als | sehr geehrte | den | der | haben | wird |
    mit | nur | in | bis | will | das ist | die neue | ich habe | wir haben | es ist | in der | in die |
    mit der | mit dem | für die | auf der | an der | dass die | dass der | dass wir | dass ich |
    habe ich | haben wir | kannst du | können wir | hast du | die ganze | muss ich | für den |
    das heißt | das war | noch | sondern | was | ja ich | nach
  `),
  clauseEnds: list(`
    ist | hat | wird | kann | muss | soll | könnte | sollte | würde | müssen | können | sollten |
    könnten | haben | will
  `),
  relatives: ['der', 'den', 'dem', 'des'],
  isNumber: numberWords('de', { more: list('eins | halb'), ordinals: true }),
  corrections: {
    retractions: list(`
      streich das | streichen sie das | nein streich das | nein vergiss das | streich das wieder |
      das streichen wir | nein streichen sie das
    `),
    strong: list(`
      nein ich meine | nein ich meinte | nein warte | nein halt | nein moment | nein quatsch | ach nein |
      ich meinte | besser gesagt | nein doch | nein entschuldigung | entschuldigung ich meine |
      entschuldigung ich meinte | nee warte | nee ich meine | nee quatsch | warte nein | moment nein |
      halt nein | beziehungsweise nein | nein sorry | sorry ich meine | sorry ich meinte | nein besser |
      korrektur | nee moment | ach quatsch | nein stopp | stopp nein | entschuldigung nein | nein pardon |
      nein falsch | ach nee | nein vielmehr | nein doch lieber | äh nein | oder besser gesagt
    `),
    weak: list(`
      quatsch | vielmehr | ich meine | nein | nee | entschuldigung | sorry | pardon | verzeihung |
      oder besser | doch lieber | nö | oder nein | oder nee
    `),
    kinds: [
      list(`
        montag | dienstag | mittwoch | donnerstag | freitag | samstag | sonnabend | sonntag | heute |
        morgen | übermorgen | gestern | vorgestern
      `),
      list(`
        januar | jänner | februar | märz | april | mai | juni | juli | august | september | oktober |
        november | dezember
      `),
      ['links', 'rechts'],
      list(`
        früh | vormittag | nachmittag | abend | mittag | nacht | vormittags | nachmittags | abends |
        morgens
      `),
      list(`
        rot | grün | blau | gelb | schwarz | weiß | grau | braun | lila | rosa | orange
      `),
      ['ihm', 'ihr', 'ihnen', 'mir', 'dir', 'uns'],
      ['euro', 'dollar', 'cent', 'franken'],
      list(`
        tage | wochen | monate | jahre | stunden | minuten | sekunden | tagen | monaten | jahren
      `),
    ],
    articles: list(`
      der | die | das | den | dem | des | ein | eine | einen | einem | einer
    `),
  },
  determiners: list(`
    der | die | das | den | dem | des | ein | eine | einen | einem | einer | eines | kein | keine |
    keinen | dieser | diese | dieses | diesen | diesem | jeder | jede | jedes | jeden | jedem | mein |
    dein | sein | ihr | unser | euer | meine | deine | seine | unsere | am | im | zum | vom | beim |
    auf den | ohne | per | nächster | nächste | nächsten | wichtiger | wichtige | wichtigen |
    wichtigster | wichtigste | guter | gute | guten | erster | erste | ersten | zweiter | zweite |
    zweiten | dritte | dritten | letzter | letzte | letzten | ans | zur | wort | wegen | welcher |
    welchen | einziger | einzigen | großes | großer | jener | jenem
  `),
  described: DESCRIBED,
  spokenMarks: [
    {
      say: ['komma', 'beistrich'],
      decimal: true,
      write: ',',
      alone: true,
      notBefore: list(`
        ist | setzen | fehlt | gesetzt | gehört | vor | nach | getrennt | zwischen
      `),
    },
    {
      say: ['punkt'],
      noun: true,
      decimal: true,
      write: '.',
      notAfter: list(`
        uhr | springende | springender | wunder | dieser | anderer | anderen | schwacher | strittiger |
        toter | offener | offenen | diesem | jenen | einzigen | einen | zentraler | grüner | roter |
        schwarzer | jeden | weiterer | weiteren | pro | und
      `),
      notBefore: list(`
        ist | für | auf | eins | zwei | drei | vier | fünf | sechs | sieben | acht | neun | zehn |
        der tagesordnung | war | wäre | bleibt | haben | acht uhr | com | de | org | net | sieben uhr |
        zwölf | mitternacht | nummer | genau | in der
      `),
    },
    {
      say: ['fragezeichen'],
      write: '?',
      alone: true,
      notBefore: ['ist', 'setzen', 'hinter', 'fehlt', 'gehört', 'gesetzt'],
    },
    {
      say: ['ausrufezeichen', 'rufzeichen', 'ausrufungszeichen'],
      write: '!',
      alone: true,
      notBefore: ['ist', 'setzen', 'fehlt', 'gehört', 'gesetzt'],
    },
    { say: ['doppelpunkt'], write: ':', alone: true, notBefore: ['ist', 'setzen', 'fehlt', 'gesetzt'] },
    {
      say: ['semikolon', 'strichpunkt'],
      write: ';',
      alone: true,
      notBefore: ['ist', 'setzen', 'fehlt', 'gesetzt', 'getrennt'],
    },
    { say: ['gedankenstrich'], write: ' –', notBefore: ['ist', 'setzen', 'fehlt'] },
    { say: ['auslassungspunkte', 'punkt punkt punkt'], write: '...', alone: true, notBefore: ['sind'] },
    {
      say: ['neue zeile', 'nächste zeile', 'zeilenumbruch', 'neuer zeile'],
      write: '\n',
      notBefore: list(`
        ist | einfügen | beginnen | in | anfangen | für | im | und
      `),
    },
    {
      say: ['neuer absatz', 'nächster absatz', 'neuen absatz', 'absatz'],
      noun: true,
      write: '\n\n',
      notAfter: list(`
        neuen | hoher | hohem | hohen | flachem | flachen | guter | hohe | ganzen | ganzer | reißenden | großen | finden | findet | fand |
        neuer | mehr | weniger | in
      `),
      notBefore: list(`
        ist | einfügen | beginnen | eins | zwei | drei | vier | in | von | der | des | im | finden |
        findet | machen | und | über | steht
      `),
    },
    {
      say: ['klammer auf', 'öffnende klammer', 'runde klammer auf'],
      write: '(',
      closedBy: { say: ['klammer zu', 'schließende klammer', 'runde klammer zu'], write: ')' },
    },
    { say: ['eckige klammer auf'], write: '[', closedBy: { say: ['eckige klammer zu'], write: ']' } },
    {
      say: list(`
        anführungszeichen auf | anführungszeichen unten | anführungszeichen öffnen |
        anführungsstriche unten
      `),
      write: '„',
      closedBy: {
        say: list(`
          anführungszeichen zu | anführungszeichen oben | anführungszeichen schließen |
          anführungsstriche oben
        `),
        write: '“',
      },
    },
  ],
  symbols: {
    dot: ['punkt', 'dot'],
    at: ['at', 'ät', 'klammeraffe'],
    underscore: ['unterstrich', 'underscore'],
    slash: ['schrägstrich', 'slash'],
    colon: ['doppelpunkt'],
    dash: ['minus', 'dash', 'strich'],
  },
  abbreviations: list(`
    bzw | usw | etc | dr | prof | hr | fr | nr | str | ca | evtl | ggf | inkl | zzgl | vgl | st | tel |
    abs | art | bd | sog | max | min | mio | mrd | geb | jan | feb | aug | sept | okt | nov | dez | usf |
    od | allg | mwst
  `),
  salutations: list(`
    liebe | lieber | hallo | sehr geehrte | sehr geehrter | guten tag | guten morgen | hi | moin |
    servus | hey
  `),
  lowercaseAfterSalutation: true,
}
