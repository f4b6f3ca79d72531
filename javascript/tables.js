// Made by go test ./javascript -run TestTables -tables. Unicode 15.0.0, word boundaries of Unicode 17.0.0:
// © 1991-2025 Unicode, Inc., under the Unicode License v3; see NOTICE.

/** The versions that model files name, of what is here. */
export const versions = {
  "analysis": "1",
  "unicode": "15.0.0",
  "norm": "15.0.0",
  "default": "1-uax29-17.0.0",
  "sklearn": "1",
  "whitespace": "1",
  "chars": "1",
  "char-words": "1",
  "stopwords:de": "545fcaff",
  "stopwords:en": "50a26cdc",
  "stopwords:es": "33fb201f",
  "stopwords:fr": "3a65c53b",
  "stopwords:ja": "0ede5905",
  "stopwords:ko": "49d5dbb8",
  "stem:en": "1",
};

/** The kinds of characters, whose bits text.js names. */
export const kinds = [0, 4, 32772, 16388, 1054720, 4096, 257, 1050624, 786497, 1048576, 1024, 524353, 65536, 1056768, 1, 1048640, 65, 1572929, 1048641, 3153922, 3678210, 1056770, 64, 193, 1048832, 256, 8192, 8194, 1048577, 67, 2105346, 1028, 589889, 786496, 852032, 524352, 1048643, 3, 1049089, 1049088, 1048579, 512, 515, 1049091, 1056771, 589888, 131072];

/** The kind of each character, a letter for each, and how many in a row have it. */
export const runs =
  "A9BC4A18DA6EA4FAEAG10HFA5I26A3JKJL26A10CA26BA7JMLA2NMJA2O2JLAHPOLAO3AI23AI7L24AL8ILILILILILILILILILILILILILILILI" +
  "LILILILILILILILILILILILIL2ILILILILILILILIL2ILILILILILILILILILILILILILILILILILILILILILILILI2LILIL3I2LILI2LI3L2I4L" +
  "I2LI3L3I2LI2LILILI2LIL2ILI2LI3LILI2L2QIL3Q4I2LI2LI2LILILILILILILILIL2ILILILILILILILILIL2I2LILI3LILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILIL7I2LI2L2ILI4LILILILIL69QL27R9S7R2P4S12P6J6P2R5P7SPSP17T69UT9VT32ILILSJ" +
  "ILA2RL3FIA4J2IHI3AIAI2LI17AI9L35IL8ILILILILILILILILILILILIL5ILAILI2L2I51L48ILILILILILILILILILILILILILILILILILAT5" +
  "V2ILILILILILILILILILILILILILILILILILILILILILILILILILILILI2LILILILILILIL2ILILILILILILILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILILILILILILILILAI38A2SW3AWHL41FWA6T45ATAT2AT2ATA8X27A4X4WHA11Y6A6F2A2T1" +
  "1ANA3Q32SQ10T21G10AZFAQ2TQ99AQT7YAT6S2T2AT4Q2G10Q3A2QA15PQTQ30T27A2Q89V11QA14G10Q33T9S2A2FASA2TA2Q22T4ST9ST3ST5A" +
  "18Q25T3A4Q11A5Q24JQ6WY2A5aT8Q41ST24YT29V3bQ54VbTQb3V8b4Tb2QT4V3Q10V2A2G10ASQ15Vb2AQ8A2Q2A2Q22AQ7AQA3Q4A2TQb3V4A2" +
  "b2A2b2TQA8bA4Q2AQ3V2A2G10Q2A2O6A2QATA2V2bAQ6A4Q2A2Q22AQ7AQ2AQ2AQ2A2TAb3V2A4V2A2V2TA3VA7Q4AQA7G10V2Q3VA11V2bAQ9AQ" +
  "3AQ22AQ7AQ2AQ5A2TQb3V5AV2bAb2TA2QA15Q2V2A2G10A9QV6AVb2AQ8A2Q2A2Q22AQ7AQ2AQ5A2TQbVbV4A2b2A2b2TA7V2bA4Q2AQ3V2A2G10" +
  "AQO6A10VQAQ6A3Q3AQ4A3Q2AQAQ2A3Q2A3Q3A3Q12A4b2Vb2A3b3Ab3TA2QA6bA14G10O3A13Vb3VQ8AQ3AQ23AQ16A2TQV3b4AV3AV3TA7T2AQ3" +
  "AWQA2Q2V2A2G10A8O7AQVb2AQ8AQ3AQ23AQ10AQ5A2TQbVb5AVb2Ab2VTA7b2A5WQ2AQ2V2A2G10AQ2bA12V2b2Q9AQ3AQ41T2Qb3V4Ab3Ab3TQA" +
  "5Q3bO7Q3V2A2G10O9AQ6AVb2AQ18A3Q24AQ9AQA2Q7A3TA4b3V3AVAb8A6G10A2b2A13O48VO2V4T3A5O6cVT4V3AG10A39O2AOAO5AO24AOAO10" +
  "VO2V4T3V2OA2O5AcAT4V3AG10A2O4A32QA23T2A6G10O10ATATATA4b2Q8AQ36A4T2VTV5T4VbTVT3AT2Q5V11AV36A9TA57O43b2V4bV5TbT2b2" +
  "V2OG10A6O6b2V2O4V3Ob3O2b7O3V4O13Vb2V2b6TObG10b3VA2I38AIA5IA2L43ARL3d256Q73AQ4A2Q7AQAQ4A2Q41AQ4A2Q33AQ4A2Q7AQAQ4A" +
  "2Q15AQ57AQ4A2Q67A2T3A9O20A3Q16A16I86A2L6A3Q620A2Q17DQ26A5Q75A3Q11A7Q18V2TeA9Q19V2eA11Q18V2A12Q13AQ3AV2A12O52V2bV" +
  "7b8Vb2V9TVA3cA4OTA2G10A6O10A17V3NVG10A6Q35SQ53A7Q5V2Q34TQA5Q70A10Q31AV3b4V2b3A4b2Vb6T3A10G10O30A2O5A11O44A4O26A6" +
  "G11A37Q23T2b2VA4O53bVbV7ATbVb2V8b6V2T8A2TG10A6G10A13cA8T14VT16a15A2a12A20V4bQ47TbV5bVb5VbeQ8A3G10A17T9A12V2bQ30b" +
  "V4b2V2eTV2Q2G10Q44TbV2b3VbV3e2A12Q36b8V8b2VTA8G10A3Q3G10Q30S6A2L9W2A5I43A2I3A16T3AT13bT7Q4TQ6TQ2bT2QA5L44R63L13R" +
  "L34R37T64ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILI" +
  "LILILILILILILILILILILILILILILILILILILILILILILIL9ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILIL9I8L6A2I6A2L8I8L8I8L6A2I6A2L8AIAIAIAIL8I8L14A2L8I8L8I8L8I8L5AL2I5JLJ3L3AL2I5J3" +
  "L4A2L2I4AJ3L8I5J3A2L3AL2I5J2AD7BD3JN4A8E2A10EA2HC2N5fA12MA2K2A3FA4MA10KA10DN5AN10ORA2O6A5RO10A6R13A51T13V4TV3T12" +
  "A17LA4LA2L10ALA3L5A4MALAIALAI2L2AL3IL2Q4gA2L4A5L5A4LAO16I16L16Q3ILQ4OA10M6A15M2A367M2A12MA166MA25M11A4M3A101O60A" +
  "26h12ih13j26O22A170M2A10MA9MA58M4AM5A9MA2MA2M2A2MA4MA2MAM2A2MA3MA3M2A8M3A5MAMA5M12A11M2A2MAM2AMA18MA2M2A18M6AMAM" +
  "2A3M2A5MA2M2A4M2A11M2A5M2A2MA5M2AMAM2A20M2A5M6AM4A2MA4MA2MA2M6AMA2MAMAMA6MA3MA6MA10M2A15MA2MA4MAMA4M3AMA11M2A17O" +
  "30AM3A9MA14MA14MA372M2A463M3A19M2A51MA4MA170I48L48ILI3L2ILILILI4LIL2IL6R2I3LILILILILILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILIL2A6ILILT3ILA9OA2L38ALA5LA2Q56A7SA15TQ23A9Q7AQ7AQ7A" +
  "Q7AQ7AQ7AQ7AQ7AT32A47SA464DA4kOlA25l9T4e2Mm5A2l3kQMA3l86A2T2n2o2lpq90Ar3qA5Q43Ad94A3O4A10Q32A48q16A32O10A30O8AO1" +
  "5A32O10A13MAMA23O15A16p47Ap88A168l6592A64l20992Q21SQ1143A67Q40S6A2Q268SA3Q16G10Q2A20ILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILQTV3AT10ASILILILILILILILILILILILILILILR2T2Q80T2A14J8P15S9P2ILILILILILILIL3ILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILRL8ILILI2LILILILILSP2ILILQILIL3ILILILILILILILILILILI5LI5LILILILILILILI" +
  "LI4LILW5ILWLWLILILW3A20WR3ILQR2LQ7VQ3TQ4VQ23b2V2bA4TA3O6A10Q52A12b2Q50b16TVA10G10A6T18Q6A3QAQ2VG10Q28V5T3A2Q23V1" +
  "1beA12d29A3V3bQ47Tb2V4b2V2b2eA14SG10A6O5VcO9G10O5AQ41V6b2V2b2V2A9Q3VQ8VbA2G10A6O16cO6A3ObVbO50TOT3O2T2O5T2OTOA24" +
  "O2cA2Q11bV2b2A2QS2bTA10Q6A2Q6A2Q6A9Q7AQ7AL43PR4L9RJ2A4L80Q35b2Vb2Vb2AbTA2G10A6d11172A12d23A4d49A8452l366A2l106A3" +
  "8L7A12L5A5XTX10AX13AX5AXAX2AX2AX10Q98J17A16Q363A18Q64A2Q54A40Q12A4V16A3HA12T16A3K2A24K3FAEAFHA26Q5AQ135A2NA7EA4F" +
  "AEAG10HFA5I26A3JKJL26A11q10rq45s2d31A3d6A2d6A2d6A2d3A6JA21N3A4Q12AQ26AQ19AQ2AQ15A2Q14A34Q123A12O45A12Q53O4A17O2A" +
  "113TA130Q29A3Q49A15TO27A4Q32O4A9Q30A5Q38T5A5Q30A2Q36A4Q8AQ5A42I40L40Q78A2G10A6I36A4L36A4Q40A8Q52A12I11AI15AI7AI2" +
  "AL11AL15AL7AL2A3W52A12Q311A9Q22A10Q8A24RS2R3AR42AR9A69Q6A2QAQ44AQ2A3QA2Q23A2O8Q23A2O7Q31A8O9A48Q19AQ2A5O5Q22O6A4" +
  "Q26A6W26A38Q56A4O2Q2O16A2O46QV3AV2A5VTVTQ4AQ3AQ29A2T3A4TO9A23Q29O2AQ29O3A32Q8AQ28T2A4O5A16Q54A10Q22A2O8Q19A5O8Q1" +
  "8A23O7A80Q73A55I51A13L51A7O6Q36T4A8G10A6Z10W28A3a5AW23A218O31AQ42AT2A3Q2A16W6A50a3T3Q29O10QA8Q22T11O4A27Q18T4A42" +
  "Q21O7A20Q23A9bVbQ53V14TA11O20G10TQ2V2QA9TV2bQ45b3V4b2T2A2YA4VA10YA2Q25A7G10A6T3Q36V5bV6T2AG10A4Qb2QA8Q35TA2QA9V2" +
  "bQ48b3V9beQ4A4VTV2AbVG10QAQA4O20A11Q18AQ25b3V3b2VeTVA6VQ2VA62Q7AQAQ4AQ15AQ10A7Q47Vb3V6T2A5G10A6V2b2AQ8A2Q2A2Q22A" +
  "Q7AQ2AQ5AT2Qb2Vb4A2b2A2b2eA2QA6bA5Q5b2A2T7A3T5A11W10AWA2WAW38AWa9AaA2aAa4Aa5WaWA13a2A29Q53b3V8b2TV2bTQ4A5G10A4TQ" +
  "3A30Q48b3V6bVb4V2bT2Q2AQA8G10A166Q47b3V4A2b4V2bT2A23Q4V2A34Q48b3V8b2VbTVA3QA11G10A38Q43VbVb2V6eTQA7G10A6Z20A28O2" +
  "7A2V3b2V4bV4TA4G10O2A4O7A185Q44b3V9bT2A101I32L32G10O9A12Q8A2QA2Q8AQ2AQ24b6Ab2A2V2eTQbQbTA12G10A70Q8A2Q39b3V4A2V2" +
  "b4TQAQbA27QV10Q40VTV4bQV4A8TA8QV6b2V3Q46V13bVTA3QA18Q73A103a8A88W33A15Z10A6Q9AQ37bV7AV6bTQA15G10O19A5Q30A2V22AbV" +
  "7bV2bV2A73Q7AQ2AQ38V6A3VAV2AV3TVT2QVA8G10A6Q6AQ2AQ32b5AV2Ab2VbTQA7G10A6W44A4Z10A246Q19V2b2A9V2QbQ13AQ34b2V5A3b2V" +
  "eTA13G10aA85QA15O21A43Q922A102Q111A17Q196A2636Q97A15Q1072N16VQ6V15A10W3995A5Q583A6841W30a18Z10A1734Q569A7Q31AG10" +
  "A6Q79AG10A6Q30A2T5A11Q48T7A9S4A12G10AO7AQ21A5Q19A432W45A3Z10A198I32L32O23A9W25A2W25A44Q75A4VQb55A7V4S13A64S2AkVA" +
  "11e2A14O6136A8O1238A42O9A8935r4Ar7Ar2Aql287q3A15lA29l3A2qA14q4A8O396A2308Q107A5Q13A3Q9A7Q10A3VTAN4A4172Z10A518V4" +
  "6A2V23A542e2T3A3e6N8T8A2T7A30T4A148T3A123O20A12O20A108O25A135L85AL71AL2A2LA2L2A2L4AL12ALAL7AL65AL4A2L8AL7AL28AL4" +
  "AL5ALA3L7AL340A2L25AL25AL31AL25AL31AL25AL31AL25AL31AL25AL8A2G50A512V55A4V50A8VA14VA22V5AV15A1104L10QL20A6L6A213T" +
  "7AT17A2T7AT2AT5A5R62A33TA112Q45A3T7S7A2G10A4QA321Q30TA17Q44T4G10A470Q27ST4G10A214W30a2WZ10A197W31AW3aW2aW7a2W5aA" +
  "8W2A224Q7AQ4AQ2AQ15AQ197A2O9T7A41I34L34T7SA4G10A791O59AO3AO4A76O45AO15A194Q4AQ27AQ2AQA2QAQ10AQ4AQAQA6QA4QAQAQAQ3" +
  "AQ2AQA2QAQAQAQAQAQ2AQA2Q4AQ7AQ4AQ4AQAQ10AQ17A5Q3AQ5AQ17A328MA39M4A100M12A15M2A15MA14M2A37M10O13A35j26A6j26A6t2j1" +
  "2t2j10A4MA2M10A19M56u26AM15A10MA20MA2M9AM4A9M23A6M188A2M112A2M2AM3A2M83A2M3AM4N5M254AM63A11M6AM24A7M2A2M8A12MA2M" +
  "4A2MA4M2A13M2A2MA8M2A9MA5M3A12M3A8M3A2MAMA4MA6MA3MA6M86A48M70A5M8A2M17A3MAM6A2M13A218M38A12M4A56M8A10M6A40M8A30M" +
  "2A12M4A2M14A9M39A12M47AM10AM185A88M8A14M146A240G10A6M1022A2l42720A32l4154A6l222A2l5762A14l7473A3103l542A1506l493" +
  "9A5l4192A711761NA30N96A128V240A196112";

/** The lists of stop words, by name. */
export const stopWords = {
  de: "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm andern anderr anders auch auf aus bei bin bis bist da damit dann das dasselbe dazu daß dein deine deinem deinen deiner deines dem demselben den denn denselben der derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er es etwas euch euer eure eurem euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können könnte machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte sondern sonst um und uns unse unsem unsen unser unses unter viel vom von vor war waren warst was weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird wirst wo wollen wollte während würde würden zu zum zur zwar zwischen über",
  en: "a about above after again against ain all am an and any are aren aren't as at be because been before being below between both but by can couldn couldn't d did didn didn't do does doesn doesn't doing don don't down during each few for from further had hadn hadn't has hasn hasn't have haven haven't having he her here hers herself him himself his how i if in into is isn isn't it it's its itself just ll m ma me mightn mightn't more most mustn mustn't my myself needn needn't no nor not now o of off on once only or other our ours ourselves out over own re s same shan shan't she she's should should've shouldn shouldn't so some such t than that that'll the their theirs them themselves then there these they this those through to too under until up ve very was wasn wasn't we were weren weren't what when where which while who whom why will with won won't wouldn wouldn't y you you'd you'll you're you've your yours yourself yourselves",
  es: "a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el ella ellas ellos en entre era erais eran eras eres es esa esas ese eso esos esta estaba estabais estaban estabas estad estada estadas estado estados estamos estando estar estaremos estará estarán estarás estaré estaréis estaría estaríais estaríamos estarían estarías estas este estemos esto estos estoy estuve estuviera estuvierais estuvieran estuvieras estuvieron estuviese estuvieseis estuviesen estuvieses estuvimos estuviste estuvisteis estuviéramos estuviésemos estuvo está estábamos estáis están estás esté estéis estén estés fue fuera fuerais fueran fueras fueron fuese fueseis fuesen fueses fui fuimos fuiste fuisteis fuéramos fuésemos ha habida habidas habido habidos habiendo habremos habrá habrán habrás habré habréis habría habríais habríamos habrían habrías habéis había habíais habíamos habían habías han has hasta hay haya hayamos hayan hayas hayáis he hemos hube hubiera hubierais hubieran hubieras hubieron hubiese hubieseis hubiesen hubieses hubimos hubiste hubisteis hubiéramos hubiésemos hubo la las le les lo los me mi mis mucho muchos muy más mí mía mías mío míos nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que quien quienes qué se sea seamos sean seas seremos será serán serás seré seréis sería seríais seríamos serían serías seáis sido siendo sin sobre sois somos son soy su sus suya suyas suyo suyos sí también tanto te tendremos tendrá tendrán tendrás tendré tendréis tendría tendríais tendríamos tendrían tendrías tened tenemos tenga tengamos tengan tengas tengo tengáis tenida tenidas tenido tenidos teniendo tenéis tenía teníais teníamos tenían tenías ti tiene tienen tienes todo todos tu tus tuve tuviera tuvierais tuvieran tuvieras tuvieron tuviese tuvieseis tuviesen tuvieses tuvimos tuviste tuvisteis tuviéramos tuviésemos tuvo tuya tuyas tuyo tuyos tú un una uno unos vosotras vosotros vuestra vuestras vuestro vuestros y ya yo él éramos",
  fr: "ai aie aient aies ait au aurai auraient aurais aurait aurez auriez aurions aurons auront aux avaient avais avait avec avez aviez avons ayant ayez ayons c ce ceci cela celà ces cet cette d dans de des du elle en es et eu eue eues eurent eus eusse eussent eusses eussiez eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions fut fûmes fûtes ici il ils j je l la le les leur leurs lui m ma mais me mes moi mon même n ne nos notre nous on ont ou par pas pour qu que quel quelle quelles quels qui s sa sans se sera serai seraient serais serait seras serez seriez serions serons seront ses soi soient sois soit sont soyez soyons suis sur t ta te tes toi ton tu un une vos votre vous y à étaient étais était étant étiez étions étée étées êtes",
  ja: "あっ あり ある い いう いる う うち お および おり か かつて から が き ここ こと この これ これら さ さらに し しかし する ず せ せる そして その その他 その後 それ それぞれ た ただし たち ため たり だ だっ つ て で でき できる です では でも と という といった とき ところ として とともに とも と共に な ない なお なかっ ながら なく なっ など なら なり なる に において における について にて によって により による に対して に対する に関する の ので のみ は ば へ ほか ほとんど ほど ます また または まで も もの ものの や よう より ら られ られる れ れる を ん 及び 特に",
  ko: "ㄴ ㄴ다 ㄴ데 ㄹ ㄹ까 ㅁ ㅂ니다 가 각 같이 거 거기 건 걸 것 게 겠 경우 고 과 관한 관해 군요 그 그것 그녀 그들 그래도 그래서 그러나 그러면 그러므로 그런 그런데 그렇게 그리고 기 까지 께 께서 나 나마 나의 내 너 너의 네 네요 누가 누구 는 는다 는데 니까 다 다만 다시 단지 대한 대해 더 더욱 던 도 도록 동안 되는 되다 된 든지 등 따라 따라서 때 때문 때문에 또 또는 또한 라고 라도 랑 려고 로 로서 로써 를 마다 마저 만 만약 만일 만큼 며 면서 모든 무슨 무엇 뭐 및 바로 밖에 보다 부터 비록 수 습니다 시 아 아니면 아서 아요 았 어 어디 어떤 어떻게 어서 어요 언제 었 에 에게 에게서 에서 여기 여러 였다 와 왜 요 우리 우리의 위하여 위해 으로 으로서 으로써 으시 은 은데 을 을까 음 의 의한 의해 이 이것 이고 이나 이다 이라고 이라도 이랑 이런 이렇게 이며 이미 이었 입니다 있고 있는 있다 있어 있었 자 자기 저 저것 저기 저런 저렇게 저희 전 정도 제 조차 좀 죠 중 즉 지 지만 처럼 통해 하고 하는 하다 하며 하면 하여 하지만 한 한다 한테 할 함 함께 합니다 해 해서 했 했다 혹은 후",
};
