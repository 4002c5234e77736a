// Words that are numbers, and what they are worth.
// "One" and its kin are left out: they are articles and pronouns too. Numbers of several words are several numbers here.

/** From 2 to 19, the tens, a hundred, a thousand, a million; some languages write them in several ways. */
const SPELLED: Record<string, string> = {
  2: 'two zwei zwo deux dos due dois duas twee два две',
  3: 'three drei trois tres tre três drie три',
  4: 'four vier quatre cuatro quattro quatro четыре',
  5: 'five fünf cinq cinco cinque vijf пять',
  6: 'six sechs seis sei zes шесть',
  7: 'seven sieben sept siete sette sete zeven семь',
  8: 'eight acht huit ocho otto oito восемь',
  9: 'nine neun neuf nueve nove negen девять',
  10: 'ten zehn dix diez dieci dez tien десять',
  11: 'eleven elf onze once undici',
  12: 'twelve zwölf douze doce dodici doze twaalf',
  13: 'thirteen dreizehn treize trece tredici treze dertien',
  14: 'fourteen vierzehn quatorze catorce quattordici catorze veertien',
  15: 'fifteen fünfzehn quinze quince quindici vijftien',
  16: 'sixteen sechzehn seize dieciséis sedici dezasseis dezesseis zestien',
  17: 'seventeen siebzehn diecisiete diciassette dezassete dezessete zeventien',
  18: 'eighteen achtzehn dieciocho diciotto dezoito achttien',
  19: 'nineteen neunzehn diecinueve diciannove dezanove dezenove negentien',
  20: 'twenty zwanzig vingt veinte venti vinte twintig двадцать',
  30: 'thirty dreißig dreissig trente treinta trenta trinta dertig тридцать',
  40: 'forty vierzig quarante cuarenta quaranta quarenta veertig сорок',
  50: 'fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig пятьдесят',
  60: 'sixty sechzig soixante sesenta sessanta sessenta zestig шестьдесят',
  70: 'seventy siebzig septante setenta settanta zeventig семьдесят',
  80: 'eighty achtzig huitante octante ochenta ottanta oitenta tachtig восемьдесят',
  90: 'ninety neunzig nonante noventa novanta negentig девяносто',
  100: 'hundred hundert einhundert cent cien ciento cento cem honderd сто',
  1000: 'thousand tausend eintausend mille mil duizend тысяча',
  1000000: 'million millionen millions millón millones milione milioni milhão milhões miljoen',
  '1st':
    'first erste ersten erster erstes premier première primero primera primo prima primeiro primeira eerste',
  '2nd': 'zweite zweiten zweiter zweites deuxième segundo segunda secondo seconda tweede',
  '3rd': 'third dritte dritten dritter drittes troisième tercero tercera terzo terza terceiro terceira derde',
  '4th': 'fourth vierte vierten vierter viertes quatrième cuarto cuarta quarto quarta vierde',
  '5th': 'fifth fünfte fünften fünfter fünftes cinquième quinto quinta vijfde',
}

export const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLED).flatMap(([number, words]) =>
    words.split(' ').map((word) => [word, number] as const),
  ),
)
