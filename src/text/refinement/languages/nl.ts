import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

export const dutch: LanguageData = {
  code: 'nl',
  spaced: true,
  // "er" is a word.
  hesitation: /^(?:e+h+m*|u+h+m*|e+u+h+m*|e+u+m+|u+m+|h+m+|m{2,}h*|ö+h+m*)$/u,
  discourse: {
    initial: list(`
      nou | weet je | weet je wel | zeg maar | nou ja | weet u | ja nou
    `),
    between: list(`
      weet je | weet je wel | zeg maar | weet u | nou ja | zal ik maar zeggen | hoe zeg je dat |
      laten we zeggen | begrijp je | als het ware | om het zo maar te zeggen | snap je | nou | of zo
    `),
    final: list(`
      weet je | weet je wel | zeg maar | als het ware | snap je | of zo | zal ik maar zeggen
    `),
  },
  openers: list(`
    ja | nee | hallo | hoi | dank je | bedankt | oké | ok | okay | goed | goedemorgen | goedemiddag |
    goedenavond | beste | lieve | sorry | precies | prima | dag | ach | oh | ah | natuurlijk | helaas |
    dank u | klopt | ten eerste | bijvoorbeeld | hé | hey | zeker
  `),
  commaBefore: list(`
    maar | want | dus | omdat | zodat | hoewel | terwijl | alsjeblieft | alstublieft | tenzij |
    waardoor | waarbij | en toen | en dan | en daarna
  `),
  commaBetweenClauses: true,
  conjunctions: list(`
    en | maar | of | want | dus | ja | nee | omdat | toen
  `),
  subjects: list(`
    ik | jij | je | hij | zij | ze | wij | we | het | u | jullie | men | 'k
  `),
  verbs: list(`
    is | was | waren | heeft | had | zal | zou | kan | kon | moet | mag | wordt | werd | past | gaat | lijkt
    | lukt | kost | blijft
  `),
  verbsLast: true,
  stutters: list(`
    ik | jij | hij | we | wij | het | de | een | en | maar | of | van | met | voor | naar | bij | om |
    te | tot | als | want | dus | omdat | mijn | jouw | zijn | haar | ons | onze | hun | deze | dit |
    wat | wie | waar | wanneer | hoe | kan | kunnen | moet | moeten | wil | willen | zou | zouden |
    heb | hebben | heeft | was | waren | ook | niet | door | over | uit | zal | zullen | ga | gaan |
    even | nog | geen | denk dat | ik denk dat | tussen | zonder | tegen | wordt | ben | op de | in de |
    aan de | jullie | elke | mag | gewoon | dat is | het is | in het | op het | van de | van het |
    dat we | dat ik | is het | kun je | kan je | heb je | ik heb | we hebben | aan het | met de |
    voor de | die nieuwe | wilde | zouden we | moet je | hoewel | toen | na de | zo
  `),
  clauseEnds: list(`
    kan | kunnen | moet | moeten | wil | willen | zou | zouden | heb | hebben | heeft | was | waren |
    zal | zullen | ga | gaan | wordt | ben | mag | wilde
  `),
  isNumber: numberWords('nl', { more: list('een | half') }),
  corrections: {
    retractions: list(`
      streep dat door | schrap dat | nee schrap dat | nee vergeet dat | haal dat weg |
      nee streep dat door | wis dat | nee wis dat
    `),
    strong: list(`
      nee wacht | wacht nee | nee sorry | sorry nee | ik bedoel | ik bedoelde | nee ik bedoel |
      nee ik bedoelde | of nee | of beter gezegd | beter gezegd | sorry ik bedoel | sorry ik bedoelde |
      o nee | oh nee | nee nee wacht | wacht even nee | nee wacht even | nee eigenlijk | correctie |
      eigenlijk nee | of eigenlijk | pardon ik bedoel | nee pardon | nee toch | nee toch maar |
      of liever | nee beter | of liever gezegd | liever gezegd | ach nee | nee fout | nee stop |
      wacht ik bedoel
    `),
    weak: list(`
      sorry | nee | pardon | of beter | eigenlijk | excuses | wacht | toch maar
    `),
    kinds: [
      list(`
        maandag | dinsdag | woensdag | donderdag | vrijdag | zaterdag | zondag | vandaag | morgen |
        overmorgen | gisteren | eergisteren
      `),
      list(`
        januari | februari | maart | april | mei | juni | juli | augustus | september | oktober |
        november | december
      `),
      ['links', 'rechts'],
      ['ochtend', 'middag', 'avond', 'nacht'],
      list(`
        rood | rode | groen | groene | blauw | blauwe | geel | gele | zwart | zwarte | wit | witte |
        grijs | grijze | bruin | bruine | oranje | paars | paarse | roze
      `),
      ['euro', 'dollar', 'cent'],
      list(`
        dagen | weken | maanden | jaren | uren | minuten | seconden
      `),
    ],
    articles: ['de', 'het', 'een'],
  },
  determiners: list(`
    de | het | een | dit | dat | deze | die | mijn | jouw | zijn | haar | ons | onze | hun | elk |
    elke | ieder | geen | eerste | tweede | derde | laatste | volgende | volgend | ander | andere |
    woord | zonder | met | welk | welke | zelfde | hetzelfde | uw | je | per
  `),
  spokenMarks: [
    {
      say: ['komma'],
      decimal: true,
      write: ',',
      alone: true,
      notBefore: ['is', 'na', 'voor', 'tussen', 'gescheiden', 'staat'],
    },
    {
      say: ['punt'],
      noun: true,
      decimal: true,
      write: '.',
      adjectives: [
        'goed',
        'goede',
        'belangrijk',
        'belangrijke',
        'belangrijkste',
        'sterk',
        'zwak',
        'nieuw',
        'enige',
        'heikel',
        'heet',
      ],
      notAfter: list(`
        op | tot | dubbele | twee | drie | vier | halve | tien | negen | acht | zeven | zes | en
      `),
      notBefore: list(`
        is | van | voor | een | één | twee | drie | vier | vijf | zes | komma | com | nl | dat | op | in |
        was | nummer | be | org | net | nul | uit | waar | aan
      `),
    },
    {
      say: ['vraagteken'],
      write: '?',
      alone: true,
      notBefore: ['is', 'bij', 'achter', 'na', 'staat', 'zetten'],
    },
    {
      say: ['uitroepteken'],
      write: '!',
      alone: true,
      notBefore: ['is', 'bij', 'achter', 'na', 'staat', 'zetten'],
    },
    {
      say: ['dubbele punt', 'dubbelepunt', 'dubbelpunt'],
      write: ':',
      alone: true,
      notBefore: ['is', 'na', 'staat'],
    },
    { say: ['puntkomma', 'punt komma'], write: ';', alone: true, notBefore: ['is', 'na'] },
    {
      say: ['beletselteken', 'puntje puntje puntje', 'punt punt punt'],
      write: '...',
      alone: true,
      notBefore: ['is'],
    },
    { say: ['gedachtestreepje', 'gedachtenstreepje'], write: ' –', notBefore: ['is'] },
    {
      say: ['nieuwe regel', 'volgende regel', 'regeleinde'],
      write: '\n',
      notAfter: ['hele', 'op', 'invoeren', 'op een', 'elke'],
      notBefore: list(`
        is | van | in | voor | die | over | geldt | dat | met | beginnen | begint
      `),
    },
    {
      say: ['nieuwe alinea', 'nieuwe paragraaf', 'volgende alinea'],
      write: '\n\n',
      notAfter: ['hele', 'een'],
      notBefore: list(`
        is | van | in | voor | die | over | beginnen | begint | gaat | met
      `),
    },
    {
      say: list(`
        haakje openen | haakjes openen | open haakje | haakje open | open haakjes | haakjes open
      `),
      write: '(',
      closedBy: {
        say: list(`
          haakje sluiten | haakjes sluiten | sluit haakje | haakje dicht | sluit haakjes | haakjes dicht |
          haakjes gesloten
        `),
        write: ')',
      },
    },
    {
      say: list(`
        aanhalingstekens openen | aanhalingsteken openen | open aanhalingstekens | open aanhalingsteken |
        aanhalingstekens open
      `),
      write: '"',
      closedBy: {
        say: list(`
          aanhalingstekens sluiten | aanhalingsteken sluiten | sluit aanhalingstekens |
          sluit aanhalingsteken | aanhalingstekens dicht
        `),
        write: '"',
      },
    },
  ],
  symbols: {
    dot: ['punt', 'dot'],
    at: ['apenstaartje', 'at', 'apestaartje'],
    underscore: ['underscore', 'laag streepje', 'liggend streepje'],
    slash: ['slash', 'schuine streep'],
    colon: ['dubbele punt'],
    dash: ['streepje', 'min'],
  },
  abbreviations: list(`
    dhr | mevr | mw | dr | drs | prof | ir | mr | enz | etc | bijv | bv | nr | tel | ca | evt | incl |
    excl | blz | art | jl | str | vgl | resp | max | min | st
  `),
  salutations: list(`
    beste | hallo | hoi | lieve | geachte | goedemorgen | goedemiddag | goedenavond | dag |
    met vriendelijke groet | groeten | groetjes | hey
  `),
}
