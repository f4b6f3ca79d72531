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
export const kinds = [0, 4, 32772, 16388, 1054720, 4096, 257, 1050624, 786497, 1048576, 1024, 524353, 65536, 1056768, 1, 1048640, 65, 1572929, 1048641, 11542530, 12066818, 1056770, 4194304, 64, 193, 1048832, 256, 4194368, 4202496, 8194, 8396802, 9445378, 1048577, 67, 8388675, 10493954, 1028, 589889, 786496, 852032, 524352, 1048643, 3, 1049089, 1049088, 1048579, 512, 515, 1049091, 9445379, 4194560, 4259840, 589888, 131072];

/** The kind of each character, a letter for each, and how many in a row have it. */
export const runs =
  "A9BC4A18DA6EA4FAEAG10HFA5I26A3JKJL26A10CA26BA7JMLA2NMJA2O2JLAHPOLAO3AI23AI7L24AL8ILILILILILILILILILILILILILILILI" +
  "LILILILILILILILILILILILIL2ILILILILILILILIL2ILILILILILILILILILILILILILILILILILILILILILILILI2LILIL3I2LILI2LI3L2I4L" +
  "I2LI3L3I2LI2LILILI2LIL2ILI2LI3LILI2L2QIL3Q4I2LI2LI2LILILILILILILILIL2ILILILILILILILILIL2I2LILI3LILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILIL7I2LI2L2ILI4LILILILIL69QL27R9S7R2P4S12P6J6P2R5P7SPSP17T69UT9VT32ILILSJ" +
  "ILW2RL3FIW4J2IHI3WIWI2LI17WI9L35IL8ILILILILILILILILILILILIL5ILAILI2L2I51L48ILILILILILILILILILILILILILILILILILAT5" +
  "V2ILILILILILILILILILILILILILILILILILILILILILILILILILILILI2LILILILILILIL2ILILILILILILILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILILILILILILILILWI38W2SX3AXHL41FXW2A3WT45ATAT2AT2ATW8Y27W4Y4XHW11Z6A6F2A" +
  "2T11ANA3Q32SQ10T21G10AaFAQ2TQ99AQT7ZAT6S2T2AT4Q2G10Q3A2QA14WPQTQ30T27W2Q89V11QW14G10Q33T9S2A2FASW2TA2Q22T4ST9ST3" +
  "ST5W2A15WQ25T3W2AWQ11W5Q24JQ6bZ2W5cT8Q41ST24ZT29V3dQ54VdTQd3V8d4Td2QT4V3Q10V2A2G10ASQ15Vd2WQ8W2Q2W2Q22WQ7WQW3Q4W" +
  "2TQed2V4W2d2W2d2TQW8eW4Q2WQ3V2W2G10Q2A2O6A2QATW2V2dWQ6W4Q2W2Q22WQ7WQ2WQ2WQ2W2TWd3V2W4V2W2V2TW3VW7Q4WQW7G10V2Q3VA" +
  "W10V2dWQ9WQ3WQ22WQ7WQ2WQ5W2TQd3V5WV2dWd2TW2QW15Q2V2W2G10A2W7QV6WVd2WQ8W2Q2W2Q22WQ7WQ2WQ5W2TQeVdV4W2d2W2d2TW7VfeW" +
  "4Q2WQ3V2W2G10AQO6W10VQWQ6W3Q3WQ4W3Q2WQWQ2W3Q2W3Q3W3Q12W4edVd2W3d3Wd3TW2QW6eW14G10O3A8W5Vd3VQ8WQ3WQ23WQ16W2TQV3d4" +
  "WV3WV3TW7T2WQ3WbQW2Q2V2W2G10W7AO7AQVd2AQ8WQ3WQ23WQ10WQ5W2TQdVd2ed2WVd2Wd2VTW7e2W5bQ2WQ2V2W2G10WQ2dW12V2d2Q9WQ3WQ" +
  "41T2Qed2V4Wd3Wd3TQAW4Q3eO7Q3V2W2G10O9AQ6WVd2WQ18W3Q24WQ9WQW2Q7W3TW4ed2V3WVWd7eW6G10W2d2AW12O48VO2V4T3W4AO6gVT4V3" +
  "AG10A2W37O2WOWO5WO24WOWO10VO2V4T3V2OW2O5WgWT4V3WG10W2O4W32QA23T2A6G10O10ATATATA4d2Q8WQ36W4T2fTfV4T4VdTfT3AT2Q5V1" +
  "1WV36WA8TA6WA13W37O43d2VfV2dV5TdT2d2V2OG10A6O6d2V2O4V3Od3O2d7O3V4O13Vd2V2d6TOdG10d3VA2I38WIW5IW2L43ARL3h97i21h50" +
  "i27h61Q73WQ4W2Q7WQWQ4W2Q41WQ4W2Q33WQ4W2Q7WQWQ4W2Q15WQ57WQ4W2Q67W2T3A9O20W3Q16A10W6I86W2L6W2AQ620A2Q17DQ26A2W3Q75" +
  "A3Q11W7Q18V2TjW9Q19V2jA2W9Q18V2W12Q13WQ3WV2W12O52V2dV7d8Vd2V9TVA3gA4OTW2G10W6O10W6A11V3NVG10W6Q35SQ53W7Q5V2Q34TQ" +
  "W5Q70W10Q31WV3d4V2d3W4d2Vd6T3W4AW3A2G10O30W2O5W11O44W4O26W6G11W3A34Q23T2d2VW2A2O53dVdV7WTdVd2V8d6V2T8W2TG10W6G10" +
  "W6A7gA6W2T14VT16c15W2c12W20V4dQ47TeV5dVd5VdjQ8W3G10A17T9A11WV2dQ30dV4d2V2jTV2Q2G10Q44TdV2d3VdV3j2W8A4Q36d8V8d2VT" +
  "W3A5G10W3Q3G10Q30S6A2L9b2W5I43W2I3A8W8T3AT13dT7Q4TQ6TQ2dT2QW5L44R63L13RL34R37T64ILILILILILILILILILILILILILILILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILIL" +
  "ILILIL9ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILIL9I8L6W2" +
  "I6W2L8I8L8I8L6W2I6W2L8WIWIWIWIL8I8L14W2L8I8L8I8L8I8L5WL2I5JLJ3L3WL2I5J3L4W2L2I4WJ3L8I5J3W2L3WL2I5J2WD7BD3JN4A8E2" +
  "A10EA2HC2N5kA12MA2K2A3FA4MA10KA10DN5WN10ORW2O6A5RO10A5WR13W3A33W15T13V4TV3T12W15A2LA4LA2L10ALA3L5A4MALAIALAI2L2A" +
  "L3IL2Q4lA2L4A5L5A4LAO16I16L16Q3ILQ4OA2W4A4M6A15M2A367M2A12MA166MA25M11A4M3A44W25A11W21O60A26m12nm13o26O22A170M2A" +
  "10MA9MA58M4AM5A9MA2MA2M2A2MA4MA2MAM2A2MA3MA3M2A8M3A5MAMA5M12A11M2A2MAM2AMA18MA2M2A18M6AMAM2A3M2A5MA2M2A4M2A11M2A" +
  "5M2A2MA5M2AMAM2A20M2A5M6AM4A2MA4MA2MA2M6AMA2MAMAMA6MA3MA6MA10M2A15MA2MA4MAMA4M3AMA11M2A17O30AM3A9MA14MA14MA372M2" +
  "A463M3A19M2A51MA4MA30W2A32WA105I48L48ILI3L2ILILILI4LIL2IL6R2I3LILILILILILILILILILILILILILILILILILILILILILILILILI" +
  "LILILILILILILILILILILILILILILILILILILILILILILILIL2A6ILILT3ILW5A4OA2L38WLW5LW2Q56W7SAW14TQ23W9Q7WQ7WQ7WQ7WQ7WQ7WQ" +
  "7WQ7WT32A47SA46W34A26WA89W12A214W26A12W4DA4pOqA25q9T4j2Mr5A2q3pQMA2Wq86W2T2s2t2quv90Aw3vW5Q43Wh94WA2O4A10Q32A36W" +
  "12v16A31WO10A30O8AO15A32O10A13MAMA23O15A16u47Au88A168q6592A64q20992Q21SQ1143W3A55W9Q40S6A2Q268SA3Q16G10Q2W20ILIL" +
  "ILILILILILILILILILILILILILILILILILILILILILQTV3AT10ASILILILILILILILILILILILILILILR2T2Q80T2A6W8J8P15S9P2ILILILILIL" +
  "ILIL3ILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILILRL8ILILI2LILILILILSP2ILILQILIL3ILILILILILILIL" +
  "ILILILI5LI5LILILILILILILILI4LILb5ILbLbLILILb3W20bR3ILQR2LQ7VQ3TQ4VQ23d2V2dA4TW3O6A4W6Q52A4W8d2Q50d16TVW8A2G10W6T" +
  "18Q6A3QAQ2VG10Q28V5T3A2Q23V11djW11Ah29W3V3dQ47Td2V4d2V2d2jA13WSG10W4A2O5VgO9G10O5WQ41V6d2V2d2V2W9Q3VQ8VdW2G10W2A" +
  "4O16gO6A3OdVdO50TOT3O2T2O5T2OTOW24O2gA2Q11dV2d2A2QS2dTW10Q6W2Q6W2Q6W9Q7WQ7WL43PR4L9RJ2W4L80Q35d2Vd2Vd2AdTW2G10W6" +
  "h11172W12h23W4h49W2052A6400q366W2q106W38L7W12L5W5YTY10AY13WY5WYWY2WY2WY10Q98J17W16Q363A18Q64W2Q54W7AW32Q12A4V16A" +
  "3HA6W6T16A3K2A24K3FAEWFHA17WA4W4Q5WQ135W2NWA6EA4FAEAG10HFA5I26A3JKJL26A11v10wv45x2h31W3h6W2h6W2h6W2h3W3A3JA3WA7W" +
  "10N3A2W2Q12WQ26WQ19WQ2WQ15W2Q14W34Q123W5A3W4O45W3A9Q53O4A17O2A3WA13W3AW47A45TW130Q29W3Q49W15TO27W4Q32O4W9Q30W5Q3" +
  "8T5W5Q30WAQ36W4Q8AQ5W42I40L40Q78W2G10W6I36W4L36W4Q40W8Q52W11AI11WI15WI7WI2WL11WL15WL7WL2W3b52W12Q311W9Q22W10Q8W2" +
  "4RS2R3WR42WR9W69Q6W2QWQ44WQ2W3QW2Q23WAO8Q23A2O7Q31W8O9W48Q19WQ2W5O5Q22O6W3AQ26W5Ab26W38Q56W4O2Q2O16W2O46QV3WV2W5" +
  "VTVTQ4WQ3WQ29W2T3W4TO9W7A9W7Q29O2AQ29O3W32Q8AQ28T2W4O5A7W9Q54W3A7Q22W2O8Q19W5O8Q18W7A4W12O7W80Q73W55I51W13L51W7O" +
  "6Q36T4W8G10W6y10b28W3c5Wb23W218O31WQ42WT2AW2Q2W16b6W50c3T3Q29O10QW8Q22T11O4A5W22Q18T4A4W38Q21O7W20Q23W9dVdQ53V14" +
  "TA7W4O20G10TQ2V2QW9TV2dQ45d3V4d2T2A2ZA4VW10ZW2Q25W7G10W6T3Q36fV4dV6T2WG10A4Qd2QW8Q35TA2QW9V2dQ48d3V9djQ4A4VTV2Ad" +
  "VG10QAQA3WO20W11Q18WQ25d3V3d2VjTVA6VQ2VW62Q7WQWQ4WQ15WQ10AW6Q47Vd3V6T2W5G10W6V2d2WQ8W2Q2W2Q22WQ7WQ2WQ5WT2QedVd4W" +
  "2d2W2d2jW2QW6eW5Q5d2W2T7W3T5W11b10WbW2bWb38Wbc9WcW2cWc4Wc5bcbW13c2W29Q53d3V8d2TV2dTQ4A5G10A2WATQ3W30Q48ed2V6dfd2" +
  "edV2dT2Q2AQW8G10W166Q47ed2V4W2d4V2dT2A23Q4V2W34Q48d3V8d2VdTVA3QW11G10W6A13W19Q43VdVd2V6jTQAW6G10W6y20W28O27W2V3d" +
  "2V4dV4TW4G10O2A4O7W185Q44d3V9dT2AW100I32L32G10O9W12Q8W2QW2Q8WQ2WQ24ed5Wd2W2V2jTQdQdTA3W9G10W70Q8W2Q39d3V4W2V2d4T" +
  "QAQdW27QV10Q40VTV4dQV4A8TW8QV6d2V3Q46V13dVTA3QA5W13Q73W7A10W86c8W88b33W15y10W6Q9WQ37dV7WV6dTQA5W10G10O19W3A2Q30W" +
  "2V22WdV7dV2dV2W73Q7WQ2WQ38V6W3VWV2WV3TVT2QVW8G10W6Q6WQ2WQ32d5WV2Wd2VdTQW7G10W6b44W4y10W246Q19V2d2A2W7V2QdQ13WQ34" +
  "d2V5W3d2VjTA13G10cW85QW15O21A29W13AQ922W102Q111WA5W11Q196W2636Q97A2W13Q1072N16VQ6V15W10b3995W5Q583W6841b30c18y10" +
  "W1734Q569W7Q31WG10W4A2Q79WG10W6Q30W2T5AW10Q48T7A9S4A2W10G10WO7WQ21W5Q19W432b45W3y10W198I32L32O23A4W5b25W2b25W44Q" +
  "75W4VQd55W7V4S13W64S2ApVW11j2W14O6136W8O1238W42O9W8935w4Ww7Ww2Wvq287v3W15qW29q3W2vW14v4W8O396W2308Q107W5Q13W3Q9W" +
  "7Q10W2AVTAN4W4172y10W518V46W2V23W9A116W60A246W10A39W2A60j2T3A3j6N8T8A2T7A30T4A61W21A66T3AW122O20W12O20W12A87W9O2" +
  "5W135L85WL71WL2W2LW2L2W2L4WL12WLWL7WL65WL4W2L8WL7WL28WL4WL5WLW3L7WL340W2L25AL25AL31AL25AL31AL25AL31AL25AL31AL25A" +
  "L8W2G50A512V55A4V50A8VA14VA7W15V5WV15W1104L10QL20W6L6W213T7WT17W2T7WT2WT5W5R62W33TW112Q45W3T7S7W2G10W4QAW320Q30T" +
  "W17Q44T4G10W5AW464Q27ST4G10W214b30c2by10W197b31Wb3cb2cb7c2b5cW8b2W224Q7WQ4WQ2WQ15WQ197W2O9T7W41I34L34T7SW4G10W4A" +
  "2W785O59AO3AO4W76O45AO15W194Q4WQ27WQ2WQW2QWQ10WQ4WQWQW6QW4QWQWQWQ3WQ2WQW2QWQWQWQWQWQ2WQW2Q4WQ7WQ4WQ4WQWQ10WQ17W5" +
  "Q3WQ5WQ17W52A2W270A4MA39z4A100z12A15z2A15zA14MzA37z10O13A35o26A6o26A6!2o12!2o10A4MA2M10A19z56#26AM2z13A10MA20MA2" +
  "M9Az4A9z7M2z14A6z154M34A2M112A2M2AM3A2M83A2M3AM4N5M254AM63A11M6AM24A7M2A2M8A12MA2M4A2MA4M2A13M2A2MA8M2A9MA5M3A12" +
  "M3A8M3A2MAMA4MA6MA3MA6M86A48M70A5M8A2M3z4M10A3MAM2z3MA2M10z3A119W4A95z6M12z4Mz15A12z4A56z8A10z6A40z8A30z2A2W10z4" +
  "W2z14W9z39A12M47AM10AM185A84W4z8A14z2M13z3M9z7M46zM7z8M14z4M9z7M9z7A147WA55W37G10W6z1022W2q42720W32q4154W6q222W2" +
  "q5762W14q7473W3103q542W1506q4939W5q4192W711761NW30N96W128V240W65040A65534W2A65534W2";

/** The lists of stop words, by name. */
export const stopWords = {
  de: "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes anderm andern anderr anders auch auf aus bei bin bis bist da damit dann das dasselbe dazu daß dein deine deinem deinen deiner deines dem demselben den denn denselben der derer derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er es etwas euch euer eure eurem euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt kann kein keine keinem keinen keiner keines können könnte machen man manche manchem manchen mancher manches mein meine meinem meinen meiner meines mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte sondern sonst um und uns unse unsem unsen unser unses unter viel vom von vor war waren warst was weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird wirst wo wollen wollte während würde würden zu zum zur zwar zwischen über",
  en: "a about above after again against ain all am an and any are aren aren't as at be because been before being below between both but by can couldn couldn't d did didn didn't do does doesn doesn't doing don don't down during each few for from further had hadn hadn't has hasn hasn't have haven haven't having he her here hers herself him himself his how i if in into is isn isn't it it's its itself just ll m ma me mightn mightn't more most mustn mustn't my myself needn needn't no nor not now o of off on once only or other our ours ourselves out over own re s same shan shan't she she's should should've shouldn shouldn't so some such t than that that'll the their theirs them themselves then there these they this those through to too under until up ve very was wasn wasn't we were weren weren't what when where which while who whom why will with won won't wouldn wouldn't y you you'd you'll you're you've your yours yourself yourselves",
  es: "a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el ella ellas ellos en entre era erais eran eras eres es esa esas ese eso esos esta estaba estabais estaban estabas estad estada estadas estado estados estamos estando estar estaremos estará estarán estarás estaré estaréis estaría estaríais estaríamos estarían estarías estas este estemos esto estos estoy estuve estuviera estuvierais estuvieran estuvieras estuvieron estuviese estuvieseis estuviesen estuvieses estuvimos estuviste estuvisteis estuviéramos estuviésemos estuvo está estábamos estáis están estás esté estéis estén estés fue fuera fuerais fueran fueras fueron fuese fueseis fuesen fueses fui fuimos fuiste fuisteis fuéramos fuésemos ha habida habidas habido habidos habiendo habremos habrá habrán habrás habré habréis habría habríais habríamos habrían habrías habéis había habíais habíamos habían habías han has hasta hay haya hayamos hayan hayas hayáis he hemos hube hubiera hubierais hubieran hubieras hubieron hubiese hubieseis hubiesen hubieses hubimos hubiste hubisteis hubiéramos hubiésemos hubo la las le les lo los me mi mis mucho muchos muy más mí mía mías mío míos nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que quien quienes qué se sea seamos sean seas seremos será serán serás seré seréis sería seríais seríamos serían serías seáis sido siendo sin sobre sois somos son soy su sus suya suyas suyo suyos sí también tanto te tendremos tendrá tendrán tendrás tendré tendréis tendría tendríais tendríamos tendrían tendrías tened tenemos tenga tengamos tengan tengas tengo tengáis tenida tenidas tenido tenidos teniendo tenéis tenía teníais teníamos tenían tenías ti tiene tienen tienes todo todos tu tus tuve tuviera tuvierais tuvieran tuvieras tuvieron tuviese tuvieseis tuviesen tuvieses tuvimos tuviste tuvisteis tuviéramos tuviésemos tuvo tuya tuyas tuyo tuyos tú un una uno unos vosotras vosotros vuestra vuestras vuestro vuestros y ya yo él éramos",
  fr: "ai aie aient aies ait au aurai auraient aurais aurait aurez auriez aurions aurons auront aux avaient avais avait avec avez aviez avons ayant ayez ayons c ce ceci cela celà ces cet cette d dans de des du elle en es et eu eue eues eurent eus eusse eussent eusses eussiez eussions eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions fut fûmes fûtes ici il ils j je l la le les leur leurs lui m ma mais me mes moi mon même n ne nos notre nous on ont ou par pas pour qu que quel quelle quelles quels qui s sa sans se sera serai seraient serais serait seras serez seriez serions serons seront ses soi soient sois soit sont soyez soyons suis sur t ta te tes toi ton tu un une vos votre vous y à étaient étais était étant étiez étions étée étées êtes",
  ja: "あっ あり ある い いう いる う うち お および おり か かつて から が き ここ こと この これ これら さ さらに し しかし する ず せ せる そして その その他 その後 それ それぞれ た ただし たち ため たり だ だっ つ て で でき できる です では でも と という といった とき ところ として とともに とも と共に な ない なお なかっ ながら なく なっ など なら なり なる に において における について にて によって により による に対して に対する に関する の ので のみ は ば へ ほか ほとんど ほど ます また または まで も もの ものの や よう より ら られ られる れ れる を ん 及び 特に",
  ko: "ㄴ ㄴ다 ㄴ데 ㄹ ㄹ까 ㅁ ㅂ니다 가 각 같이 거 거기 건 걸 것 게 겠 경우 고 과 관한 관해 군요 그 그것 그녀 그들 그래도 그래서 그러나 그러면 그러므로 그런 그런데 그렇게 그리고 기 까지 께 께서 나 나마 나의 내 너 너의 네 네요 누가 누구 는 는다 는데 니까 다 다만 다시 단지 대한 대해 더 더욱 던 도 도록 동안 되는 되다 된 든지 등 따라 따라서 때 때문 때문에 또 또는 또한 라고 라도 랑 려고 로 로서 로써 를 마다 마저 만 만약 만일 만큼 며 면서 모든 무슨 무엇 뭐 및 바로 밖에 보다 부터 비록 수 습니다 시 아 아니면 아서 아요 았 어 어디 어떤 어떻게 어서 어요 언제 었 에 에게 에게서 에서 여기 여러 였다 와 왜 요 우리 우리의 위하여 위해 으로 으로서 으로써 으시 은 은데 을 을까 음 의 의한 의해 이 이것 이고 이나 이다 이라고 이라도 이랑 이런 이렇게 이며 이미 이었 입니다 있고 있는 있다 있어 있었 자 자기 저 저것 저기 저런 저렇게 저희 전 정도 제 조차 좀 죠 중 즉 지 지만 처럼 통해 하고 하는 하다 하며 하면 하여 하지만 한 한다 한테 할 함 함께 합니다 해 해서 했 했다 혹은 후",
};
