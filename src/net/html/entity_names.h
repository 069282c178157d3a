/* Written by tools/make-entities; private to entity.c. Names are sorted and stand
 * end to end; `offsets` says where each begins, `buckets` the first for a letter. */
#ifndef FG_NET_ENTITY_NAMES_H
#define FG_NET_ENTITY_NAMES_H

#include <stdint.h>

enum { NAMES = 2125 };

static const char names[] =
    "AEligAMPAacuteAbreveAcircAcyAfrAgraveAlphaAmacrAndAogonAopfApplyFunctionAringAscrAss"
    "ignAtildeAumlBackslashBarvBarwedBcyBecauseBernoullisBetaBfrBopfBreveBscrBumpeqCHcyCO"
    "PYCacuteCapCapitalDifferentialDCayleysCcaronCcedilCcircCconintCdotCedillaCenterDotCf"
    "rChiCircleDotCircleMinusCirclePlusCircleTimesClockwiseContourIntegralCloseCurlyDoubl"
    "eQuoteCloseCurlyQuoteColonColoneCongruentConintContourIntegralCopfCoproductCounterCl"
    "ockwiseContourIntegralCrossCscrCupCupCapDDDDotrahdDJcyDScyDZcyDaggerDarrDashvDcaronD"
    "cyDelDeltaDfrDiacriticalAcuteDiacriticalDotDiacriticalDoubleAcuteDiacriticalGraveDia"
    "criticalTildeDiamondDifferentialDDopfDotDotDotDotEqualDoubleContourIntegralDoubleDot"
    "DoubleDownArrowDoubleLeftArrowDoubleLeftRightArrowDoubleLeftTeeDoubleLongLeftArrowDo"
    "ubleLongLeftRightArrowDoubleLongRightArrowDoubleRightArrowDoubleRightTeeDoubleUpArro"
    "wDoubleUpDownArrowDoubleVerticalBarDownArrowDownArrowBarDownArrowUpArrowDownBreveDow"
    "nLeftRightVectorDownLeftTeeVectorDownLeftVectorDownLeftVectorBarDownRightTeeVectorDo"
    "wnRightVectorDownRightVectorBarDownTeeDownTeeArrowDownarrowDscrDstrokENGETHEacuteEca"
    "ronEcircEcyEdotEfrEgraveElementEmacrEmptySmallSquareEmptyVerySmallSquareEogonEopfEps"
    "ilonEqualEqualTildeEquilibriumEscrEsimEtaEumlExistsExponentialEFcyFfrFilledSmallSqua"
    "reFilledVerySmallSquareFopfForAllFouriertrfFscrGJcyGTGammaGammadGbreveGcedilGcircGcy"
    "GdotGfrGgGopfGreaterEqualGreaterEqualLessGreaterFullEqualGreaterGreaterGreaterLessGr"
    "eaterSlantEqualGreaterTildeGscrGtHARDcyHacekHatHcircHfrHilbertSpaceHopfHorizontalLin"
    "eHscrHstrokHumpDownHumpHumpEqualIEcyIJligIOcyIacuteIcircIcyIdotIfrIgraveImImacrImagi"
    "naryIImpliesIntIntegralIntersectionInvisibleCommaInvisibleTimesIogonIopfIotaIscrItil"
    "deIukcyIumlJcircJcyJfrJopfJscrJsercyJukcyKHcyKJcyKappaKcedilKcyKfrKopfKscrLJcyLTLacu"
    "teLambdaLangLaplacetrfLarrLcaronLcedilLcyLeftAngleBracketLeftArrowLeftArrowBarLeftAr"
    "rowRightArrowLeftCeilingLeftDoubleBracketLeftDownTeeVectorLeftDownVectorLeftDownVect"
    "orBarLeftFloorLeftRightArrowLeftRightVectorLeftTeeLeftTeeArrowLeftTeeVectorLeftTrian"
    "gleLeftTriangleBarLeftTriangleEqualLeftUpDownVectorLeftUpTeeVectorLeftUpVectorLeftUp"
    "VectorBarLeftVectorLeftVectorBarLeftarrowLeftrightarrowLessEqualGreaterLessFullEqual"
    "LessGreaterLessLessLessSlantEqualLessTildeLfrLlLleftarrowLmidotLongLeftArrowLongLeft"
    "RightArrowLongRightArrowLongleftarrowLongleftrightarrowLongrightarrowLopfLowerLeftAr"
    "rowLowerRightArrowLscrLshLstrokLtMapMcyMediumSpaceMellintrfMfrMinusPlusMopfMscrMuNJc"
    "yNacuteNcaronNcedilNcyNegativeMediumSpaceNegativeThickSpaceNegativeThinSpaceNegative"
    "VeryThinSpaceNestedGreaterGreaterNestedLessLessNewLineNfrNoBreakNonBreakingSpaceNopf"
    "NotNotCongruentNotCupCapNotDoubleVerticalBarNotElementNotEqualNotEqualTildeNotExists"
    "NotGreaterNotGreaterEqualNotGreaterFullEqualNotGreaterGreaterNotGreaterLessNotGreate"
    "rSlantEqualNotGreaterTildeNotHumpDownHumpNotHumpEqualNotLeftTriangleNotLeftTriangleB"
    "arNotLeftTriangleEqualNotLessNotLessEqualNotLessGreaterNotLessLessNotLessSlantEqualN"
    "otLessTildeNotNestedGreaterGreaterNotNestedLessLessNotPrecedesNotPrecedesEqualNotPre"
    "cedesSlantEqualNotReverseElementNotRightTriangleNotRightTriangleBarNotRightTriangleE"
    "qualNotSquareSubsetNotSquareSubsetEqualNotSquareSupersetNotSquareSupersetEqualNotSub"
    "setNotSubsetEqualNotSucceedsNotSucceedsEqualNotSucceedsSlantEqualNotSucceedsTildeNot"
    "SupersetNotSupersetEqualNotTildeNotTildeEqualNotTildeFullEqualNotTildeTildeNotVertic"
    "alBarNscrNtildeNuOEligOacuteOcircOcyOdblacOfrOgraveOmacrOmegaOmicronOopfOpenCurlyDou"
    "bleQuoteOpenCurlyQuoteOrOscrOslashOtildeOtimesOumlOverBarOverBraceOverBracketOverPar"
    "enthesisPartialDPcyPfrPhiPiPlusMinusPoincareplanePopfPrPrecedesPrecedesEqualPrecedes"
    "SlantEqualPrecedesTildePrimeProductProportionProportionalPscrPsiQUOTQfrQopfQscrRBarr"
    "REGRacuteRangRarrRarrtlRcaronRcedilRcyReReverseElementReverseEquilibriumReverseUpEqu"
    "ilibriumRfrRhoRightAngleBracketRightArrowRightArrowBarRightArrowLeftArrowRightCeilin"
    "gRightDoubleBracketRightDownTeeVectorRightDownVectorRightDownVectorBarRightFloorRigh"
    "tTeeRightTeeArrowRightTeeVectorRightTriangleRightTriangleBarRightTriangleEqualRightU"
    "pDownVectorRightUpTeeVectorRightUpVectorRightUpVectorBarRightVectorRightVectorBarRig"
    "htarrowRopfRoundImpliesRrightarrowRscrRshRuleDelayedSHCHcySHcySOFTcySacuteScScaronSc"
    "edilScircScySfrShortDownArrowShortLeftArrowShortRightArrowShortUpArrowSigmaSmallCirc"
    "leSopfSqrtSquareSquareIntersectionSquareSubsetSquareSubsetEqualSquareSupersetSquareS"
    "upersetEqualSquareUnionSscrStarSubSubsetSubsetEqualSucceedsSucceedsEqualSucceedsSlan"
    "tEqualSucceedsTildeSuchThatSumSupSupersetSupersetEqualSupsetTHORNTRADETSHcyTScyTabTa"
    "uTcaronTcedilTcyTfrThereforeThetaThickSpaceThinSpaceTildeTildeEqualTildeFullEqualTil"
    "deTildeTopfTripleDotTscrTstrokUacuteUarrUarrocirUbrcyUbreveUcircUcyUdblacUfrUgraveUm"
    "acrUnderBarUnderBraceUnderBracketUnderParenthesisUnionUnionPlusUogonUopfUpArrowUpArr"
    "owBarUpArrowDownArrowUpDownArrowUpEquilibriumUpTeeUpTeeArrowUparrowUpdownarrowUpperL"
    "eftArrowUpperRightArrowUpsiUpsilonUringUscrUtildeUumlVDashVbarVcyVdashVdashlVeeVerba"
    "rVertVerticalBarVerticalLineVerticalSeparatorVerticalTildeVeryThinSpaceVfrVopfVscrVv"
    "dashWcircWedgeWfrWopfWscrXfrXiXopfXscrYAcyYIcyYUcyYacuteYcircYcyYfrYopfYscrYumlZHcyZ"
    "acuteZcaronZcyZdotZeroWidthSpaceZetaZfrZopfZscraacuteabreveacacEacdacircacuteacyaeli"
    "gafafragravealefsymalephalphaamacramalgampandandandanddandslopeandvangangeangleangms"
    "dangmsdaaangmsdabangmsdacangmsdadangmsdaeangmsdafangmsdagangmsdahangrtangrtvbangrtvb"
    "dangsphangstangzarraogonaopfapapEapacirapeapidaposapproxapproxeqaringascrastasympasy"
    "mpeqatildeaumlawconintawintbNotbackcongbackepsilonbackprimebacksimbacksimeqbarveebar"
    "wedbarwedgebbrkbbrktbrkbcongbcybdquobecausbecausebemptyvbepsibernoubetabethbetweenbf"
    "rbigcapbigcircbigcupbigodotbigoplusbigotimesbigsqcupbigstarbigtriangledownbigtriangl"
    "eupbiguplusbigveebigwedgebkarowblacklozengeblacksquareblacktriangleblacktriangledown"
    "blacktriangleleftblacktrianglerightblankblk12blk14blk34blockbnebnequivbnotbopfbotbot"
    "tombowtieboxDLboxDRboxDlboxDrboxHboxHDboxHUboxHdboxHuboxULboxURboxUlboxUrboxVboxVHbo"
    "xVLboxVRboxVhboxVlboxVrboxboxboxdLboxdRboxdlboxdrboxhboxhDboxhUboxhdboxhuboxminusbox"
    "plusboxtimesboxuLboxuRboxulboxurboxvboxvHboxvLboxvRboxvhboxvlboxvrbprimebrevebrvbarb"
    "scrbsemibsimbsimebsolbsolbbsolhsubbullbulletbumpbumpEbumpebumpeqcacutecapcapandcapbr"
    "cupcapcapcapcupcapdotcapscaretcaronccapsccaronccedilccircccupsccupssmcdotcedilcempty"
    "vcentcenterdotcfrchcycheckcheckmarkchicircirEcirccirceqcirclearrowleftcirclearrowrig"
    "htcircledRcircledScircledastcircledcirccircleddashcirecirfnintcirmidcirscirclubsclub"
    "suitcoloncolonecoloneqcommacommatcompcompfncomplementcomplexescongcongdotconintcopfc"
    "oprodcopycopysrcrarrcrosscscrcsubcsubecsupcsupectdotcudarrlcudarrrcueprcuesccularrcu"
    "larrpcupcupbrcapcupcapcupcupcupdotcuporcupscurarrcurarrmcurlyeqpreccurlyeqsucccurlyv"
    "eecurlywedgecurrencurvearrowleftcurvearrowrightcuveecuwedcwconintcwintcylctydArrdHar"
    "daggerdalethdarrdashdashvdbkarowdblacdcarondcyddddaggerddarrddotseqdegdeltademptyvdf"
    "ishtdfrdharldharrdiamdiamonddiamondsuitdiamsdiedigammadisindivdividedivideontimesdiv"
    "onxdjcydlcorndlcropdollardopfdotdoteqdoteqdotdotminusdotplusdotsquaredoublebarwedged"
    "ownarrowdowndownarrowsdownharpoonleftdownharpoonrightdrbkarowdrcorndrcropdscrdscydso"
    "ldstrokdtdotdtridtrifduarrduhardwangledzcydzigrarreDDoteDoteacuteeasterecaronecireci"
    "rcecolonecyedoteeefDotefregegraveegsegsdotelelintersellelselsdotemacremptyemptysetem"
    "ptyvemspemsp13emsp14engenspeogoneopfepareparsleplusepsiepsilonepsiveqcirceqcoloneqsi"
    "meqslantgtreqslantlessequalsequestequivequivDDeqvparslerDoterarrescresdotesimetaethe"
    "umleuroexclexistexpectationexponentialefallingdotseqfcyfemaleffiligffligfflligffrfil"
    "igfjligflatflligfltnsfnoffopfforallforkforkvfpartintfrac12frac13frac14frac15frac16fr"
    "ac18frac23frac25frac34frac35frac38frac45frac56frac58frac78fraslfrownfscrgEgElgacuteg"
    "ammagammadgapgbrevegcircgcygdotgegelgeqgeqqgeqslantgesgesccgesdotgesdotogesdotolgesl"
    "geslesgfrggggggimelgjcyglglEglagljgnEgnapgnapproxgnegneqgneqqgnsimgopfgravegscrgsimg"
    "simegsimlgtgtccgtcirgtdotgtlPargtquestgtrapproxgtrarrgtrdotgtreqlessgtreqqlessgtrles"
    "sgtrsimgvertneqqgvnEhArrhairsphalfhamilthardcyharrharrcirharrwhbarhcircheartsheartsu"
    "ithellipherconhfrhksearowhkswarowhoarrhomththookleftarrowhookrightarrowhopfhorbarhsc"
    "rhslashhstrokhybullhypheniacuteicicircicyiecyiexcliffifrigraveiiiiiintiiintiinfiniio"
    "taijligimacrimageimaglineimagpartimathimofimpedinincareinfininfintieinodotintintcali"
    "ntegersintercalintlarhkintprodiocyiogoniopfiotaiprodiquestiscrisinisinEisindotisinsi"
    "sinsvisinvititildeiukcyiumljcircjcyjfrjmathjopfjscrjsercyjukcykappakappavkcedilkcykf"
    "rkgreenkhcykjcykopfkscrlAarrlArrlAtaillBarrlElEglHarlacutelaemptyvlagranlambdalangla"
    "ngdlanglelaplaquolarrlarrblarrbfslarrfslarrhklarrlplarrpllarrsimlarrtllatlataillatel"
    "ateslbarrlbbrklbracelbracklbrkelbrksldlbrkslulcaronlcedillceillcublcyldcaldquoldquor"
    "ldrdharldrusharldshleleftarrowleftarrowtailleftharpoondownleftharpoonupleftleftarrow"
    "sleftrightarrowleftrightarrowsleftrightharpoonsleftrightsquigarrowleftthreetimeslegl"
    "eqleqqleqslantleslescclesdotlesdotolesdotorlesglesgeslessapproxlessdotlesseqgtrlesse"
    "qqgtrlessgtrlesssimlfishtlfloorlfrlglgElhardlharulharullhblkljcyllllarrllcornerllhar"
    "dlltrilmidotlmoustlmoustachelnElnaplnapproxlnelneqlneqqlnsimloangloarrlobrklonglefta"
    "rrowlongleftrightarrowlongmapstolongrightarrowlooparrowleftlooparrowrightloparlopflo"
    "pluslotimeslowastlowbarlozlozengelozflparlparltlrarrlrcornerlrharlrhardlrmlrtrilsaqu"
    "olscrlshlsimlsimelsimglsqblsquolsquorlstrokltltccltcirltdotlthreeltimesltlarrltquest"
    "ltrParltriltrieltriflurdsharluruharlvertneqqlvnEmDDotmacrmalemaltmaltesemapmapstomap"
    "stodownmapstoleftmapstoupmarkermcommamcymdashmeasuredanglemfrmhomicromidmidastmidcir"
    "middotminusminusbminusdminusdumlcpmldrmnplusmodelsmopfmpmscrmstposmumultimapmumapnGg"
    "nGtnGtvnLeftarrownLeftrightarrownLlnLtnLtvnRightarrownVDashnVdashnablanacutenangnapn"
    "apEnapidnaposnapproxnaturnaturalnaturalsnbspnbumpnbumpencapncaronncedilncongncongdot"
    "ncupncyndashneneArrnearhknearrnearrownedotnequivnesearnesimnexistnexistsnfrngEngenge"
    "qngeqqngeqslantngesngsimngtngtrnhArrnharrnhparninisnisdnivnjcynlArrnlEnlarrnldrnlenl"
    "eftarrownleftrightarrownleqnleqqnleqslantnlesnlessnlsimnltnltrinltrienmidnopfnotnoti"
    "nnotinEnotindotnotinvanotinvbnotinvcnotninotnivanotnivbnotnivcnparnparallelnparslnpa"
    "rtnpolintnprnprcuenprenprecnpreceqnrArrnrarrnrarrcnrarrwnrightarrownrtrinrtrienscnsc"
    "cuenscenscrnshortmidnshortparallelnsimnsimensimeqnsmidnsparnsqsubensqsupensubnsubEns"
    "ubensubsetnsubseteqnsubseteqqnsuccnsucceqnsupnsupEnsupensupsetnsupseteqnsupseteqqntg"
    "lntildentlgntriangleleftntrianglelefteqntrianglerightntrianglerighteqnunumnumeronums"
    "pnvDashnvHarrnvapnvdashnvgenvgtnvinfinnvlArrnvlenvltnvltrienvrArrnvrtrienvsimnwArrnw"
    "arhknwarrnwarrownwnearoSoacuteoastocirocircocyodashodblacodivodotodsoldoeligofcirofr"
    "ogonograveogtohbarohmointolarrolcirolcrossolineoltomacromegaomicronomidominusoopfopa"
    "roperpoplusororarrordorderorderofordfordmorigoforororslopeorvoscroslashosolotildeoti"
    "mesotimesasoumlovbarparparaparallelparsimparslpartpcypercntperiodpermilperppertenkpf"
    "rphiphivphmmatphonepipitchforkpivplanckplanckhplankvplusplusacirplusbpluscirplusdopl"
    "usdupluseplusmnplussimplustwopmpointintpopfpoundprprEprapprcuepreprecprecapproxprecc"
    "urlyeqpreceqprecnapproxprecneqqprecnsimprecsimprimeprimesprnEprnapprnsimprodprofalar"
    "proflineprofsurfpropproptoprsimprurelpscrpsipuncspqfrqintqopfqprimeqscrquaternionsqu"
    "atintquestquesteqquotrAarrrArrrAtailrBarrrHarraceracuteradicraemptyvrangrangdrangera"
    "ngleraquorarrrarraprarrbrarrbfsrarrcrarrfsrarrhkrarrlprarrplrarrsimrarrtlrarrwratail"
    "ratiorationalsrbarrrbbrkrbracerbrackrbrkerbrksldrbrkslurcaronrcedilrceilrcubrcyrdcar"
    "dldharrdquordquorrdshrealrealinerealpartrealsrectregrfishtrfloorrfrrhardrharurharulr"
    "horhovrightarrowrightarrowtailrightharpoondownrightharpoonuprightleftarrowsrightleft"
    "harpoonsrightrightarrowsrightsquigarrowrightthreetimesringrisingdotseqrlarrrlharrlmr"
    "moustrmoustachernmidroangroarrrobrkroparropfroplusrotimesrparrpargtrppolintrrarrrsaq"
    "uorscrrshrsqbrsquorsquorrthreertimesrtrirtriertrifrtriltriruluharrxsacutesbquoscscEs"
    "capscaronsccuescescedilscircscnEscnapscnsimscpolintscsimscysdotsdotbsdoteseArrsearhk"
    "searrsearrowsectsemiseswarsetminussetmnsextsfrsfrownsharpshchcyshcyshortmidshortpara"
    "llelshysigmasigmafsigmavsimsimdotsimesimeqsimgsimgEsimlsimlEsimnesimplussimrarrslarr"
    "smallsetminussmashpsmeparslsmidsmilesmtsmtesmtessoftcysolsolbsolbarsopfspadesspadesu"
    "itsparsqcapsqcapssqcupsqcupssqsubsqsubesqsubsetsqsubseteqsqsupsqsupesqsupsetsqsupset"
    "eqsqusquaresquarfsqufsrarrsscrssetmnssmilesstarfstarstarfstraightepsilonstraightphis"
    "trnssubsubEsubdotsubesubedotsubmultsubnEsubnesubplussubrarrsubsetsubseteqsubseteqqsu"
    "bsetneqsubsetneqqsubsimsubsubsubsupsuccsuccapproxsucccurlyeqsucceqsuccnapproxsuccneq"
    "qsuccnsimsuccsimsumsungsupsup1sup2sup3supEsupdotsupdsubsupesupedotsuphsolsuphsubsupl"
    "arrsupmultsupnEsupnesupplussupsetsupseteqsupseteqqsupsetneqsupsetneqqsupsimsupsubsup"
    "supswArrswarhkswarrswarrowswnwarszligtargettautbrktcarontcediltcytdottelrectfrthere4"
    "thereforethetathetasymthetavthickapproxthicksimthinspthkapthksimthorntildetimestimes"
    "btimesbartimesdtinttoeatoptopbottopcirtopftopforktosatprimetradetriangletriangledown"
    "trianglelefttrianglelefteqtriangleqtrianglerighttrianglerighteqtridottrietriminustri"
    "plustrisbtritimetrpeziumtscrtscytshcytstroktwixttwoheadleftarrowtwoheadrightarrowuAr"
    "ruHaruacuteuarrubrcyubreveucircucyudarrudblacudharufishtufrugraveuharluharruhblkulco"
    "rnulcornerulcropultriumacrumluogonuopfuparrowupdownarrowupharpoonleftupharpoonrightu"
    "plusupsiupsihupsilonupuparrowsurcornurcornerurcropuringurtriuscrutdotutildeutriutrif"
    "uuarruumluwanglevArrvBarvBarvvDashvangrtvarepsilonvarkappavarnothingvarphivarpivarpr"
    "optovarrvarrhovarsigmavarsubsetneqvarsubsetneqqvarsupsetneqvarsupsetneqqvarthetavart"
    "riangleleftvartrianglerightvcyvdashveeveebarveeeqvellipverbarvertvfrvltrivnsubvnsupv"
    "opfvpropvrtrivscrvsubnEvsubnevsupnEvsupnevzigzagwcircwedbarwedgewedgeqweierpwfrwopfw"
    "pwrwreathwscrxcapxcircxcupxdtrixfrxhArrxharrxixlArrxlarrxmapxnisxodotxopfxoplusxotim"
    "exrArrxrarrxscrxsqcupxuplusxutrixveexwedgeyacuteyacyycircycyyenyfryicyyopfyscryucyyu"
    "mlzacutezcaronzcyzdotzeetrfzetazfrzhcyzigrarrzopfzscrzwjzwnj";

static const uint16_t offsets[NAMES + 1] = {
    0,     5,     8,     14,    20,    25,    28,    31,    37,    42,    47,    50,
    55,    59,    72,    77,    81,    87,    93,    97,    106,   110,   116,   119,
    126,   136,   140,   143,   147,   152,   156,   162,   166,   170,   176,   179,
    199,   206,   212,   218,   223,   230,   234,   241,   250,   253,   256,   265,
    276,   286,   297,   321,   342,   357,   362,   368,   377,   383,   398,   402,
    411,   442,   447,   451,   454,   460,   462,   470,   474,   478,   482,   488,
    492,   497,   503,   506,   509,   514,   517,   533,   547,   569,   585,   601,
    608,   621,   625,   628,   634,   642,   663,   672,   687,   702,   722,   735,
    754,   778,   798,   814,   828,   841,   858,   875,   884,   896,   912,   921,
    940,   957,   971,   988,   1006,  1021,  1039,  1046,  1058,  1067,  1071,  1077,
    1080,  1083,  1089,  1095,  1100,  1103,  1107,  1110,  1116,  1123,  1128,  1144,
    1164,  1169,  1173,  1180,  1185,  1195,  1206,  1210,  1214,  1217,  1221,  1227,
    1239,  1242,  1245,  1262,  1283,  1287,  1293,  1303,  1307,  1311,  1313,  1318,
    1324,  1330,  1336,  1341,  1344,  1348,  1351,  1353,  1357,  1369,  1385,  1401,
    1415,  1426,  1443,  1455,  1459,  1461,  1467,  1472,  1475,  1480,  1483,  1495,
    1499,  1513,  1517,  1523,  1535,  1544,  1548,  1553,  1557,  1563,  1568,  1571,
    1575,  1578,  1584,  1586,  1591,  1601,  1608,  1611,  1619,  1631,  1645,  1659,
    1664,  1668,  1672,  1676,  1682,  1687,  1691,  1696,  1699,  1702,  1706,  1710,
    1716,  1721,  1725,  1729,  1734,  1740,  1743,  1746,  1750,  1754,  1758,  1760,
    1766,  1772,  1776,  1786,  1790,  1796,  1802,  1805,  1821,  1830,  1842,  1861,
    1872,  1889,  1906,  1920,  1937,  1946,  1960,  1975,  1982,  1994,  2007,  2019,
    2034,  2051,  2067,  2082,  2094,  2109,  2119,  2132,  2141,  2155,  2171,  2184,
    2195,  2203,  2217,  2226,  2229,  2231,  2241,  2247,  2260,  2278,  2292,  2305,
    2323,  2337,  2341,  2355,  2370,  2374,  2377,  2383,  2385,  2388,  2391,  2402,
    2411,  2414,  2423,  2427,  2431,  2433,  2437,  2443,  2449,  2455,  2458,  2477,
    2495,  2512,  2533,  2553,  2567,  2574,  2577,  2584,  2600,  2604,  2607,  2619,
    2628,  2648,  2658,  2666,  2679,  2688,  2698,  2713,  2732,  2749,  2763,  2783,
    2798,  2813,  2825,  2840,  2858,  2878,  2885,  2897,  2911,  2922,  2939,  2951,
    2974,  2991,  3002,  3018,  3039,  3056,  3072,  3091,  3112,  3127,  3147,  3164,
    3186,  3195,  3209,  3220,  3236,  3257,  3273,  3284,  3300,  3308,  3321,  3338,
    3351,  3365,  3369,  3375,  3377,  3382,  3388,  3393,  3396,  3402,  3405,  3411,
    3416,  3421,  3428,  3432,  3452,  3466,  3468,  3472,  3478,  3484,  3490,  3494,
    3501,  3510,  3521,  3536,  3544,  3547,  3550,  3553,  3555,  3564,  3577,  3581,
    3583,  3591,  3604,  3622,  3635,  3640,  3647,  3657,  3669,  3673,  3676,  3680,
    3683,  3687,  3691,  3696,  3699,  3705,  3709,  3713,  3719,  3725,  3731,  3734,
    3736,  3750,  3768,  3788,  3791,  3794,  3811,  3821,  3834,  3853,  3865,  3883,
    3901,  3916,  3934,  3944,  3952,  3965,  3979,  3992,  4008,  4026,  4043,  4059,
    4072,  4088,  4099,  4113,  4123,  4127,  4139,  4150,  4154,  4157,  4168,  4174,
    4178,  4184,  4190,  4192,  4198,  4204,  4209,  4212,  4215,  4229,  4243,  4258,
    4270,  4275,  4286,  4290,  4294,  4300,  4318,  4330,  4347,  4361,  4380,  4391,
    4395,  4399,  4402,  4408,  4419,  4427,  4440,  4458,  4471,  4479,  4482,  4485,
    4493,  4506,  4512,  4517,  4522,  4527,  4531,  4534,  4537,  4543,  4549,  4552,
    4555,  4564,  4569,  4579,  4588,  4593,  4603,  4617,  4627,  4631,  4640,  4644,
    4650,  4656,  4660,  4668,  4673,  4679,  4684,  4687,  4693,  4696,  4702,  4707,
    4715,  4725,  4737,  4753,  4758,  4767,  4772,  4776,  4783,  4793,  4809,  4820,
    4833,  4838,  4848,  4855,  4866,  4880,  4895,  4899,  4906,  4911,  4915,  4921,
    4925,  4930,  4934,  4937,  4942,  4948,  4951,  4957,  4961,  4972,  4984,  5001,
    5014,  5027,  5030,  5034,  5038,  5044,  5049,  5054,  5057,  5061,  5065,  5068,
    5070,  5074,  5078,  5082,  5086,  5090,  5096,  5101,  5104,  5107,  5111,  5115,
    5119,  5123,  5129,  5135,  5138,  5142,  5156,  5160,  5163,  5167,  5171,  5177,
    5183,  5185,  5188,  5191,  5196,  5201,  5204,  5209,  5211,  5214,  5220,  5227,
    5232,  5237,  5242,  5247,  5250,  5253,  5259,  5263,  5271,  5275,  5278,  5282,
    5287,  5293,  5301,  5309,  5317,  5325,  5333,  5341,  5349,  5357,  5362,  5369,
    5377,  5383,  5388,  5395,  5400,  5404,  5406,  5409,  5415,  5418,  5422,  5426,
    5432,  5440,  5445,  5449,  5452,  5457,  5464,  5470,  5474,  5482,  5487,  5491,
    5499,  5510,  5519,  5526,  5535,  5541,  5547,  5555,  5559,  5567,  5572,  5575,
    5580,  5586,  5593,  5600,  5605,  5611,  5615,  5619,  5626,  5629,  5635,  5642,
    5648,  5655,  5663,  5672,  5680,  5687,  5702,  5715,  5723,  5729,  5737,  5743,
    5755,  5766,  5779,  5796,  5813,  5831,  5836,  5841,  5846,  5851,  5856,  5859,
    5866,  5870,  5874,  5877,  5883,  5889,  5894,  5899,  5904,  5909,  5913,  5918,
    5923,  5928,  5933,  5938,  5943,  5948,  5953,  5957,  5962,  5967,  5972,  5977,
    5982,  5987,  5993,  5998,  6003,  6008,  6013,  6017,  6022,  6027,  6032,  6037,
    6045,  6052,  6060,  6065,  6070,  6075,  6080,  6084,  6089,  6094,  6099,  6104,
    6109,  6114,  6120,  6125,  6131,  6135,  6140,  6144,  6149,  6153,  6158,  6166,
    6170,  6176,  6180,  6185,  6190,  6196,  6202,  6205,  6211,  6219,  6225,  6231,
    6237,  6241,  6246,  6251,  6256,  6262,  6268,  6273,  6278,  6285,  6289,  6294,
    6301,  6305,  6314,  6317,  6321,  6326,  6335,  6338,  6341,  6345,  6349,  6355,
    6370,  6386,  6394,  6402,  6412,  6423,  6434,  6438,  6446,  6452,  6459,  6464,
    6472,  6477,  6483,  6490,  6495,  6501,  6505,  6511,  6521,  6530,  6534,  6541,
    6547,  6551,  6557,  6561,  6567,  6572,  6577,  6581,  6585,  6590,  6594,  6599,
    6604,  6611,  6618,  6623,  6628,  6634,  6641,  6644,  6652,  6658,  6664,  6670,
    6675,  6679,  6685,  6692,  6703,  6714,  6722,  6732,  6738,  6752,  6767,  6772,
    6777,  6785,  6790,  6796,  6800,  6804,  6810,  6816,  6820,  6824,  6829,  6836,
    6841,  6847,  6850,  6852,  6859,  6864,  6871,  6874,  6879,  6886,  6892,  6895,
    6900,  6905,  6909,  6916,  6927,  6932,  6935,  6942,  6947,  6950,  6956,  6969,
    6975,  6979,  6985,  6991,  6997,  7001,  7004,  7009,  7017,  7025,  7032,  7041,
    7055,  7064,  7078,  7093,  7109,  7117,  7123,  7129,  7133,  7137,  7141,  7147,
    7152,  7156,  7161,  7166,  7171,  7178,  7182,  7190,  7195,  7199,  7205,  7211,
    7217,  7221,  7226,  7232,  7235,  7239,  7241,  7246,  7249,  7251,  7257,  7260,
    7266,  7268,  7276,  7279,  7282,  7288,  7293,  7298,  7306,  7312,  7316,  7322,
    7328,  7331,  7335,  7340,  7344,  7348,  7354,  7359,  7363,  7370,  7375,  7381,
    7388,  7393,  7403,  7414,  7420,  7426,  7431,  7438,  7446,  7451,  7456,  7460,
    7465,  7469,  7472,  7475,  7479,  7483,  7487,  7492,  7503,  7515,  7528,  7531,
    7537,  7543,  7548,  7554,  7557,  7562,  7567,  7571,  7576,  7581,  7585,  7589,
    7595,  7599,  7604,  7612,  7618,  7624,  7630,  7636,  7642,  7648,  7654,  7660,
    7666,  7672,  7678,  7684,  7690,  7696,  7702,  7707,  7712,  7716,  7718,  7721,
    7727,  7732,  7738,  7741,  7747,  7752,  7755,  7759,  7761,  7764,  7767,  7771,
    7779,  7782,  7787,  7793,  7800,  7808,  7812,  7818,  7821,  7823,  7826,  7831,
    7835,  7837,  7840,  7843,  7846,  7849,  7853,  7861,  7864,  7868,  7873,  7878,
    7882,  7887,  7891,  7895,  7900,  7905,  7907,  7911,  7916,  7921,  7927,  7934,
    7943,  7949,  7955,  7964,  7974,  7981,  7987,  7996,  8000,  8004,  8010,  8014,
    8020,  8026,  8030,  8037,  8042,  8046,  8051,  8057,  8066,  8072,  8078,  8081,
    8089,  8097,  8102,  8108,  8121,  8135,  8139,  8145,  8149,  8155,  8161,  8167,
    8173,  8179,  8181,  8186,  8189,  8193,  8198,  8201,  8204,  8210,  8212,  8218,
    8223,  8229,  8234,  8239,  8244,  8249,  8257,  8265,  8270,  8274,  8279,  8281,
    8287,  8292,  8300,  8306,  8309,  8315,  8323,  8331,  8339,  8346,  8350,  8355,
    8359,  8363,  8368,  8374,  8378,  8382,  8387,  8394,  8399,  8405,  8410,  8412,
    8418,  8423,  8427,  8432,  8435,  8438,  8443,  8447,  8451,  8457,  8462,  8467,
    8473,  8479,  8482,  8485,  8491,  8495,  8499,  8503,  8507,  8512,  8516,  8522,
    8527,  8529,  8532,  8536,  8542,  8550,  8556,  8562,  8566,  8571,  8577,  8580,
    8585,  8589,  8594,  8601,  8607,  8613,  8619,  8625,  8632,  8638,  8641,  8647,
    8651,  8656,  8661,  8666,  8672,  8678,  8683,  8690,  8697,  8703,  8709,  8714,
    8718,  8721,  8725,  8730,  8736,  8743,  8751,  8755,  8757,  8766,  8779,  8794,
    8807,  8821,  8835,  8850,  8867,  8886,  8900,  8903,  8906,  8910,  8918,  8921,
    8926,  8932,  8939,  8947,  8951,  8957,  8967,  8974,  8983,  8993,  9000,  9007,
    9013,  9019,  9022,  9024,  9027,  9032,  9037,  9043,  9048,  9052,  9054,  9059,
    9067,  9073,  9078,  9084,  9090,  9100,  9103,  9107,  9115,  9118,  9122,  9127,
    9132,  9137,  9142,  9147,  9160,  9178,  9188,  9202,  9215,  9229,  9234,  9238,
    9244,  9251,  9257,  9263,  9266,  9273,  9277,  9281,  9287,  9292,  9300,  9305,
    9311,  9314,  9319,  9325,  9329,  9332,  9336,  9341,  9346,  9350,  9355,  9361,
    9367,  9369,  9373,  9378,  9383,  9389,  9395,  9401,  9408,  9414,  9418,  9423,
    9428,  9436,  9443,  9452,  9456,  9461,  9465,  9469,  9473,  9480,  9483,  9489,
    9499,  9509,  9517,  9523,  9529,  9532,  9537,  9550,  9553,  9556,  9561,  9564,
    9570,  9576,  9582,  9587,  9593,  9599,  9606,  9610,  9614,  9620,  9626,  9630,
    9632,  9636,  9642,  9644,  9652,  9657,  9660,  9663,  9667,  9677,  9692,  9695,
    9698,  9702,  9713,  9719,  9725,  9730,  9736,  9740,  9743,  9747,  9752,  9757,
    9764,  9769,  9776,  9784,  9788,  9793,  9799,  9803,  9809,  9815,  9820,  9828,
    9832,  9835,  9840,  9842,  9847,  9853,  9858,  9865,  9870,  9876,  9882,  9887,
    9893,  9900,  9903,  9906,  9909,  9913,  9918,  9927,  9931,  9936,  9939,  9943,
    9948,  9953,  9958,  9960,  9963,  9967,  9970,  9974,  9979,  9982,  9987,  9991,
    9994,  10004, 10019, 10023, 10028, 10037, 10041, 10046, 10051, 10054, 10059, 10065,
    10069, 10073, 10076, 10081, 10087, 10095, 10102, 10109, 10116, 10121, 10128, 10135,
    10142, 10146, 10155, 10161, 10166, 10173, 10176, 10182, 10186, 10191, 10198, 10203,
    10208, 10214, 10220, 10231, 10236, 10242, 10245, 10251, 10255, 10259, 10268, 10282,
    10286, 10291, 10297, 10302, 10307, 10314, 10321, 10325, 10330, 10335, 10342, 10351,
    10361, 10366, 10373, 10377, 10382, 10387, 10394, 10403, 10413, 10417, 10423, 10427,
    10440, 10455, 10469, 10485, 10487, 10490, 10496, 10501, 10507, 10513, 10517, 10523,
    10527, 10531, 10538, 10544, 10548, 10552, 10559, 10565, 10572, 10577, 10582, 10588,
    10593, 10600, 10606, 10608, 10614, 10618, 10622, 10627, 10630, 10635, 10641, 10645,
    10649, 10655, 10660, 10665, 10668, 10672, 10678, 10681, 10686, 10689, 10693, 10698,
    10703, 10710, 10715, 10718, 10723, 10728, 10735, 10739, 10745, 10749, 10753, 10758,
    10763, 10765, 10770, 10773, 10778, 10785, 10789, 10793, 10799, 10803, 10810, 10813,
    10817, 10823, 10827, 10833, 10839, 10847, 10851, 10856, 10859, 10863, 10871, 10877,
    10882, 10886, 10889, 10895, 10901, 10907, 10911, 10918, 10921, 10924, 10928, 10934,
    10939, 10941, 10950, 10953, 10959, 10966, 10972, 10976, 10984, 10989, 10996, 11002,
    11008, 11013, 11019, 11026, 11033, 11035, 11043, 11047, 11052, 11054, 11057, 11061,
    11066, 11069, 11073, 11083, 11094, 11100, 11111, 11119, 11127, 11134, 11139, 11145,
    11149, 11154, 11160, 11164, 11172, 11180, 11188, 11192, 11198, 11203, 11209, 11213,
    11216, 11222, 11225, 11229, 11233, 11239, 11243, 11254, 11261, 11266, 11273, 11277,
    11282, 11286, 11292, 11297, 11301, 11305, 11311, 11316, 11324, 11328, 11333, 11338,
    11344, 11349, 11353, 11359, 11364, 11371, 11376, 11382, 11388, 11394, 11400, 11407,
    11413, 11418, 11424, 11429, 11438, 11443, 11448, 11454, 11460, 11465, 11472, 11479,
    11485, 11491, 11496, 11500, 11503, 11507, 11514, 11519, 11525, 11529, 11533, 11540,
    11548, 11553, 11557, 11560, 11566, 11572, 11575, 11580, 11585, 11591, 11594, 11598,
    11608, 11622, 11638, 11652, 11667, 11684, 11700, 11715, 11730, 11734, 11746, 11751,
    11756, 11759, 11765, 11775, 11780, 11785, 11790, 11795, 11800, 11804, 11810, 11817,
    11821, 11827, 11835, 11840, 11846, 11850, 11853, 11857, 11862, 11868, 11874, 11880,
    11884, 11889, 11894, 11902, 11909, 11911, 11917, 11922, 11924, 11927, 11931, 11937,
    11942, 11945, 11951, 11956, 11960, 11965, 11971, 11979, 11984, 11987, 11991, 11996,
    12001, 12006, 12012, 12017, 12024, 12028, 12032, 12038, 12046, 12051, 12055, 12058,
    12064, 12069, 12075, 12079, 12087, 12100, 12103, 12108, 12114, 12120, 12123, 12129,
    12133, 12138, 12142, 12147, 12151, 12156, 12161, 12168, 12175, 12180, 12193, 12199,
    12207, 12211, 12216, 12219, 12223, 12228, 12234, 12237, 12241, 12247, 12251, 12257,
    12266, 12270, 12275, 12281, 12286, 12292, 12297, 12303, 12311, 12321, 12326, 12332,
    12340, 12350, 12353, 12359, 12365, 12369, 12374, 12378, 12384, 12390, 12396, 12400,
    12405, 12420, 12431, 12436, 12439, 12443, 12449, 12453, 12460, 12467, 12472, 12477,
    12484, 12491, 12497, 12505, 12514, 12523, 12533, 12539, 12545, 12551, 12555, 12565,
    12576, 12582, 12593, 12601, 12609, 12616, 12619, 12623, 12626, 12630, 12634, 12638,
    12642, 12648, 12655, 12659, 12666, 12673, 12680, 12687, 12694, 12699, 12704, 12711,
    12717, 12725, 12734, 12743, 12753, 12759, 12765, 12771, 12776, 12782, 12787, 12794,
    12800, 12805, 12811, 12814, 12818, 12824, 12830, 12833, 12837, 12843, 12846, 12852,
    12861, 12866, 12874, 12880, 12891, 12899, 12905, 12910, 12916, 12921, 12926, 12931,
    12937, 12945, 12951, 12955, 12959, 12962, 12968, 12974, 12978, 12985, 12989, 12995,
    13000, 13008, 13020, 13032, 13046, 13055, 13068, 13083, 13089, 13093, 13101, 13108,
    13113, 13120, 13128, 13132, 13136, 13141, 13147, 13152, 13168, 13185, 13189, 13193,
    13199, 13203, 13208, 13214, 13219, 13222, 13227, 13233, 13238, 13244, 13247, 13253,
    13258, 13263, 13268, 13274, 13282, 13288, 13293, 13298, 13301, 13306, 13310, 13317,
    13328, 13341, 13355, 13360, 13364, 13369, 13376, 13386, 13392, 13400, 13406, 13411,
    13416, 13420, 13425, 13431, 13435, 13440, 13445, 13449, 13456, 13460, 13464, 13469,
    13474, 13480, 13490, 13498, 13508, 13514, 13519, 13528, 13532, 13538, 13546, 13558,
    13571, 13583, 13596, 13604, 13619, 13635, 13638, 13643, 13646, 13652, 13657, 13663,
    13669, 13673, 13676, 13681, 13686, 13691, 13695, 13700, 13705, 13709, 13715, 13721,
    13727, 13733, 13740, 13745, 13751, 13756, 13762, 13768, 13771, 13775, 13777, 13779,
    13785, 13789, 13793, 13798, 13802, 13807, 13810, 13815, 13820, 13822, 13827, 13832,
    13836, 13840, 13845, 13849, 13855, 13861, 13866, 13871, 13875, 13881, 13887, 13892,
    13896, 13902, 13908, 13912, 13917, 13920, 13923, 13926, 13930, 13934, 13938, 13942,
    13946, 13952, 13958, 13961, 13965, 13971, 13975, 13978, 13982, 13989, 13993, 13997,
    14000, 14004};

static const uint16_t buckets[] = {
    0,    19,   31,   65,   119,  144,  152,  173,  185,  210,  217,  225,  284,  293,
    364,  387,  406,  410,  454,  494,  516,  552,  569,  574,  578,  588,  598,  658,
    773,  867,  931,  993,  1029, 1088, 1116, 1166, 1174, 1184, 1336, 1373, 1538, 1591,
    1657, 1667, 1769, 1921, 1977, 2024, 2066, 2077, 2101, 2112, 2125};

static const uint16_t seconds[] = {0,      0x6A,   0x331,  0x333, 0x338,
                                   0x200A, 0x20D2, 0x20E5, 0xFE00};

static const uint32_t values[NAMES] = {
    2097350, 2097190, 2097345, 258,     2097346, 1040,    120068,  2097344, 913,
    256,     10835,   260,     120120,  8289,    2097349, 119964,  8788,    2097347,
    2097348, 8726,    10983,   8966,    1041,    8757,    8492,    914,     120069,
    120121,  728,     8492,    8782,    1063,    2097321, 262,     8914,    8517,
    8493,    268,     2097351, 264,     8752,    266,     184,     183,     8493,
    935,     8857,    8854,    8853,    8855,    8754,    8221,    8217,    8759,
    10868,   8801,    8751,    8750,    8450,    8720,    8755,    10799,   119966,
    8915,    8781,    8517,    10513,   1026,    1029,    1039,    8225,    8609,
    10980,   270,     1044,    8711,    916,     120071,  180,     729,     733,
    96,      732,     8900,    8518,    120123,  168,     8412,    8784,    8751,
    168,     8659,    8656,    8660,    10980,   10232,   10234,   10233,   8658,
    8872,    8657,    8661,    8741,    8595,    10515,   8693,    785,     10576,
    10590,   8637,    10582,   10591,   8641,    10583,   8868,    8615,    8659,
    119967,  272,     330,     2097360, 2097353, 282,     2097354, 1069,    278,
    120072,  2097352, 8712,    274,     9723,    9643,    280,     120124,  917,
    10869,   8770,    8652,    8496,    10867,   919,     2097355, 8707,    8519,
    1060,    120073,  9724,    9642,    120125,  8704,    8497,    8497,    1027,
    2097214, 915,     988,     286,     290,     284,     1043,    288,     120074,
    8921,    120126,  8805,    8923,    8807,    10914,   8823,    10878,   8819,
    119970,  8811,    1066,    711,     94,      292,     8460,    8459,    8461,
    9472,    8459,    294,     8782,    8783,    1045,    306,     1025,    2097357,
    2097358, 1048,    304,     8465,    2097356, 8465,    298,     8520,    8658,
    8748,    8747,    8898,    8291,    8290,    302,     120128,  921,     8464,
    296,     1030,    2097359, 308,     1049,    120077,  120129,  119973,  1032,
    1028,    1061,    1036,    922,     310,     1050,    120078,  120130,  119974,
    1033,    2097212, 313,     923,     10218,   8466,    8606,    317,     315,
    1051,    10216,   8592,    8676,    8646,    8968,    10214,   10593,   8643,
    10585,   8970,    8596,    10574,   8867,    8612,    10586,   8882,    10703,
    8884,    10577,   10592,   8639,    10584,   8636,    10578,   8656,    8660,
    8922,    8806,    8822,    10913,   10877,   8818,    120079,  8920,    8666,
    319,     10229,   10231,   10230,   10232,   10234,   10233,   120131,  8601,
    8600,    8466,    8624,    321,     8810,    10501,   1052,    8287,    8499,
    120080,  8723,    120132,  8499,    924,     1034,    323,     327,     325,
    1053,    8203,    8203,    8203,    8203,    8811,    8810,    10,      120081,
    8288,    160,     8469,    10988,   8802,    8813,    8742,    8713,    8800,
    533058,  8708,    8815,    8817,    533095,  533099,  8825,    535166,  8821,
    533070,  533071,  8938,    534991,  8940,    8814,    8816,    8824,    533098,
    535165,  8820,    535202,  535201,  8832,    535215,  8928,    8716,    8939,
    534992,  8941,    533135,  8930,    533136,  8931,    795266,  8840,    8833,
    535216,  8929,    533119,  795267,  8841,    8769,    8772,    8775,    8777,
    8740,    119977,  2097361, 925,     338,     2097363, 2097364, 1054,    336,
    120082,  2097362, 332,     937,     927,     120134,  8220,    8216,    10836,
    119978,  2097368, 2097365, 10807,   2097366, 8254,    9182,    9140,    9180,
    8706,    1055,    120083,  934,     928,     177,     8460,    8473,    10939,
    8826,    10927,   8828,    8830,    8243,    8719,    8759,    8733,    119979,
    936,     2097186, 120084,  8474,    119980,  10512,   2097326, 340,     10219,
    8608,    10518,   344,     342,     1056,    8476,    8715,    8651,    10607,
    8476,    929,     10217,   8594,    8677,    8644,    8969,    10215,   10589,
    8642,    10581,   8971,    8866,    8614,    10587,   8883,    10704,   8885,
    10575,   10588,   8638,    10580,   8640,    10579,   8658,    8477,    10608,
    8667,    8475,    8625,    10740,   1065,    1064,    1068,    346,     10940,
    352,     350,     348,     1057,    120086,  8595,    8592,    8594,    8593,
    931,     8728,    120138,  8730,    9633,    8851,    8847,    8849,    8848,
    8850,    8852,    119982,  8902,    8912,    8912,    8838,    8827,    10928,
    8829,    8831,    8715,    8721,    8913,    8835,    8839,    8913,    2097374,
    8482,    1035,    1062,    9,       932,     356,     354,     1058,    120087,
    8756,    920,     663647,  8201,    8764,    8771,    8773,    8776,    120139,
    8411,    119983,  358,     2097370, 8607,    10569,   1038,    364,     2097371,
    1059,    368,     120088,  2097369, 362,     95,      9183,    9141,    9181,
    8899,    8846,    370,     120140,  8593,    10514,   8645,    8597,    10606,
    8869,    8613,    8657,    8661,    8598,    8599,    978,     933,     366,
    119984,  360,     2097372, 8875,    10987,   1042,    8873,    10982,   8897,
    8214,    8214,    8739,    124,     10072,   8768,    8202,    120089,  120141,
    119985,  8874,    372,     8896,    120090,  120142,  119986,  120091,  926,
    120143,  119987,  1071,    1031,    1070,    2097373, 374,     1067,    120092,
    120144,  119988,  376,     1046,    377,     381,     1047,    379,     8203,
    918,     8488,    8484,    119989,  2097377, 259,     8766,    401982,  8767,
    2097378, 2097332, 1072,    2097382, 8289,    120094,  2097376, 8501,    8501,
    945,     257,     10815,   2097190, 8743,    10837,   10844,   10840,   10842,
    8736,    10660,   8736,    8737,    10664,   10665,   10666,   10667,   10668,
    10669,   10670,   10671,   8735,    8894,    10653,   8738,    197,     9084,
    261,     120146,  8776,    10864,   10863,   8778,    8779,    39,      8776,
    8778,    2097381, 119990,  42,      8776,    8781,    2097379, 2097380, 8755,
    10769,   10989,   8780,    1014,    8245,    8765,    8909,    8893,    8965,
    8965,    9141,    9142,    8780,    1073,    8222,    8757,    8757,    10672,
    1014,    8492,    946,     8502,    8812,    120095,  8898,    9711,    8899,
    10752,   10753,   10754,   10758,   9733,    9661,    9651,    10756,   8897,
    8896,    10509,   10731,   9642,    9652,    9662,    9666,    9656,    9251,
    9618,    9617,    9619,    9608,    917565,  926305,  8976,    120147,  8869,
    8869,    8904,    9559,    9556,    9558,    9555,    9552,    9574,    9577,
    9572,    9575,    9565,    9562,    9564,    9561,    9553,    9580,    9571,
    9568,    9579,    9570,    9567,    10697,   9557,    9554,    9488,    9484,
    9472,    9573,    9576,    9516,    9524,    8863,    8862,    8864,    9563,
    9560,    9496,    9492,    9474,    9578,    9569,    9566,    9532,    9508,
    9500,    8245,    728,     2097318, 119991,  8271,    8765,    8909,    92,
    10693,   10184,   8226,    8226,    8782,    10926,   8783,    8783,    263,
    8745,    10820,   10825,   10827,   10823,   10816,   1057321, 8257,    711,
    10829,   269,     2097383, 265,     10828,   10832,   267,     2097336, 10674,
    2097314, 183,     120096,  1095,    10003,   10003,   967,     9675,    10691,
    710,     8791,    8634,    8635,    174,     9416,    8859,    8858,    8861,
    8791,    10768,   10991,   10690,   9827,    9827,    58,      8788,    8788,
    44,      64,      8705,    8728,    8705,    8450,    8773,    10861,   8750,
    120148,  8720,    2097321, 8471,    8629,    10007,   119992,  10959,   10961,
    10960,   10962,   8943,    10552,   10549,   8926,    8927,    8630,    10557,
    8746,    10824,   10822,   10826,   8845,    10821,   1057322, 8631,    10556,
    8926,    8927,    8910,    8911,    2097316, 8630,    8631,    8910,    8911,
    8754,    8753,    9005,    8659,    10597,   8224,    8504,    8595,    8208,
    8867,    10511,   733,     271,     1076,    8518,    8225,    8650,    10871,
    2097328, 948,     10673,   10623,   120097,  8643,    8642,    8900,    8900,
    9830,    9830,    168,     989,     8946,    247,     2097399, 8903,    8903,
    1106,    8990,    8973,    36,      120149,  729,     8784,    8785,    8760,
    8724,    8865,    8966,    8595,    8650,    8643,    8642,    10512,   8991,
    8972,    119993,  1109,    10742,   273,     8945,    9663,    9662,    8693,
    10607,   10662,   1119,    10239,   10871,   8785,    2097385, 10862,   283,
    8790,    2097386, 8789,    1101,    279,     8519,    8786,    120098,  10906,
    2097384, 10902,   10904,   10905,   9191,    8467,    10901,   10903,   275,
    8709,    8709,    8709,    8195,    8196,    8197,    331,     8194,    281,
    120150,  8917,    10723,   10865,   949,     949,     1013,    8790,    8789,
    8770,    10902,   10901,   61,      8799,    8801,    10872,   10725,   8787,
    10609,   8495,    8784,    8770,    951,     2097392, 2097387, 8364,    33,
    8707,    8496,    8519,    8786,    1092,    9792,    64259,   64256,   64260,
    120099,  64257,   131174,  9837,    64258,   9649,    402,     120151,  8704,
    8916,    10969,   10765,   2097341, 8531,    2097340, 8533,    8537,    8539,
    8532,    8534,    2097342, 8535,    8540,    8536,    8538,    8541,    8542,
    8260,    8994,    119995,  8807,    10892,   501,     947,     989,     10886,
    287,     285,     1075,    289,     8805,    8923,    8805,    8807,    10878,
    10878,   10921,   10880,   10882,   10884,   1057499, 10900,   120100,  8811,
    8921,    8503,    1107,    8823,    10898,   10917,   10916,   8809,    10890,
    10890,   10888,   10888,   8809,    8935,    120152,  96,      8458,    8819,
    10894,   10896,   2097214, 10919,   10874,   8919,    10645,   10876,   10886,
    10616,   8919,    8923,    10892,   8823,    8819,    1057385, 1057385, 8660,
    8202,    189,     8459,    1098,    8596,    10568,   8621,    8463,    293,
    9829,    9829,    8230,    8889,    120101,  10533,   10534,   8703,    8763,
    8617,    8618,    120153,  8213,    119997,  8463,    295,     8259,    8208,
    2097389, 8291,    2097390, 1080,    1077,    2097313, 8660,    120102,  2097388,
    8520,    10764,   8749,    10716,   8489,    307,     299,     8465,    8464,
    8465,    305,     8887,    437,     8712,    8453,    8734,    10717,   305,
    8747,    8890,    8484,    8890,    10775,   10812,   1105,    303,     120154,
    953,     10812,   2097343, 119998,  8712,    8953,    8949,    8948,    8947,
    8712,    8290,    297,     1110,    2097391, 309,     1081,    120103,  567,
    120155,  119999,  1112,    1108,    954,     1008,    311,     1082,    120104,
    312,     1093,    1116,    120156,  120000,  8666,    8656,    10523,   10510,
    8806,    10891,   10594,   314,     10676,   8466,    955,     10216,   10641,
    10216,   10885,   2097323, 8592,    8676,    10527,   10525,   8617,    8619,
    10553,   10611,   8610,    10923,   10521,   10925,   1059501, 10508,   10098,
    123,     91,      10635,   10639,   10637,   318,     316,     8968,    123,
    1083,    10550,   8220,    8222,    10599,   10571,   8626,    8804,    8592,
    8610,    8637,    8636,    8647,    8596,    8646,    8651,    8621,    8907,
    8922,    8804,    8806,    10877,   10877,   10920,   10879,   10881,   10883,
    1057498, 10899,   10885,   8918,    8922,    10891,   8822,    8818,    10620,
    8970,    120105,  8822,    10897,   8637,    8636,    10602,   9604,    1113,
    8810,    8647,    8990,    10603,   9722,    320,     9136,    9136,    8808,
    10889,   10889,   10887,   10887,   8808,    8934,    10220,   8701,    10214,
    10229,   10231,   10236,   10230,   8619,    8620,    10629,   120157,  10797,
    10804,   8727,    95,      9674,    9674,    10731,   40,      10643,   8646,
    8991,    8651,    10605,   8206,    8895,    8249,    120001,  8624,    8818,
    10893,   10895,   91,      8216,    8218,    322,     2097212, 10918,   10873,
    8918,    8907,    8905,    10614,   10875,   10646,   9667,    8884,    9666,
    10570,   10598,   1057384, 1057384, 8762,    2097327, 9794,    10016,   10016,
    8614,    8614,    8615,    8612,    8613,    9646,    10793,   1084,    8212,
    8737,    120106,  8487,    2097333, 8739,    42,      10992,   2097335, 8722,
    8863,    8760,    10794,   10971,   8230,    8723,    8871,    120158,  8723,
    120002,  8766,    956,     8888,    8888,    533209,  795243,  533099,  8653,
    8654,    533208,  795242,  533098,  8655,    8879,    8878,    8711,    324,
    795168,  8777,    535152,  533067,  329,     8777,    9838,    9838,    8469,
    2097312, 533070,  533071,  10819,   328,     326,     8775,    535149,  10818,
    1085,    8211,    8800,    8663,    10532,   8599,    8599,    533072,  8802,
    10536,   533058,  8708,    8708,    120107,  533095,  8817,    8817,    533095,
    535166,  535166,  8821,    8815,    8815,    8654,    8622,    10994,   8715,
    8956,    8954,    8715,    1114,    8653,    533094,  8602,    8229,    8816,
    8602,    8622,    8816,    533094,  535165,  535165,  8814,    8820,    8814,
    8938,    8940,    8740,    120159,  2097324, 8713,    533241,  533237,  8713,
    8951,    8950,    8716,    8716,    8958,    8957,    8742,    8742,    928509,
    532994,  10772,   8832,    8928,    535215,  8832,    535215,  8655,    8603,
    534835,  532893,  8603,    8939,    8941,    8833,    8929,    535216,  120003,
    8740,    8742,    8769,    8772,    8772,    8740,    8742,    8930,    8931,
    8836,    535237,  8840,    795266,  8840,    535237,  8833,    535216,  8837,
    535238,  8841,    795267,  8841,    535238,  8825,    2097393, 8824,    8938,
    8940,    8939,    8941,    957,     35,      8470,    8199,    8877,    10500,
    795213,  8876,    795237,  786494,  10718,   10498,   795236,  786492,  795316,
    10499,   795317,  795196,  8662,    10531,   8598,    8598,    10535,   9416,
    2097395, 8859,    8858,    2097396, 1086,    8861,    337,     10808,   8857,
    10684,   339,     10687,   120108,  731,     2097394, 10689,   10677,   937,
    8750,    8634,    10686,   10683,   8254,    10688,   333,     969,     959,
    10678,   8854,    120160,  10679,   10681,   8853,    8744,    8635,    10845,
    8500,    8500,    2097322, 2097338, 8886,    10838,   10839,   10843,   8500,
    2097400, 8856,    2097397, 8855,    10806,   2097398, 9021,    8741,    2097334,
    8741,    10995,   11005,   8706,    1087,    37,      46,      8240,    8869,
    8241,    120109,  966,     981,     8499,    9742,    960,     8916,    982,
    8463,    8462,    8463,    43,      10787,   8862,    10786,   8724,    10789,
    10866,   2097329, 10790,   10791,   177,     10773,   120161,  2097315, 8826,
    10931,   10935,   8828,    10927,   8826,    10935,   8828,    10927,   10937,
    10933,   8936,    8830,    8242,    8473,    10933,   10937,   8936,    8719,
    9006,    8978,    8979,    8733,    8733,    8830,    8880,    120005,  968,
    8200,    120110,  10764,   120162,  8279,    120006,  8461,    10774,   63,
    8799,    2097186, 8667,    8658,    10524,   10511,   10596,   270909,  341,
    8730,    10675,   10217,   10642,   10661,   10217,   2097339, 8594,    10613,
    8677,    10528,   10547,   10526,   8618,    8620,    10565,   10612,   8611,
    8605,    10522,   8758,    8474,    10509,   10099,   125,     93,      10636,
    10638,   10640,   345,     343,     8969,    125,     1088,    10551,   10601,
    8221,    8221,    8627,    8476,    8475,    8476,    8477,    9645,    2097326,
    10621,   8971,    120111,  8641,    8640,    10604,   961,     1009,    8594,
    8611,    8641,    8640,    8644,    8652,    8649,    8605,    8908,    730,
    8787,    8644,    8652,    8207,    9137,    9137,    10990,   10221,   8702,
    10215,   10630,   120163,  10798,   10805,   41,      10644,   10770,   8649,
    8250,    120007,  8625,    93,      8217,    8217,    8908,    8906,    9657,
    8885,    9656,    10702,   10600,   8478,    347,     8218,    8827,    10932,
    10936,   353,     8829,    10928,   351,     349,     10934,   10938,   8937,
    10771,   8831,    1089,    8901,    8865,    10854,   8664,    10533,   8600,
    8600,    2097319, 59,      10537,   8726,    8726,    10038,   120112,  8994,
    9839,    1097,    1096,    8739,    8741,    2097325, 963,     962,     962,
    8764,    10858,   8771,    8771,    10910,   10912,   10909,   10911,   8774,
    10788,   10610,   8592,    8726,    10803,   10724,   8739,    8995,    10922,
    10924,   1059500, 1100,    47,      10692,   9023,    120164,  9824,    9824,
    8741,    8851,    1057427, 8852,    1057428, 8847,    8849,    8847,    8849,
    8848,    8850,    8848,    8850,    9633,    9633,    9642,    9642,    8594,
    120008,  8726,    8995,    8902,    9734,    9733,    1013,    981,     175,
    8834,    10949,   10941,   8838,    10947,   10945,   10955,   8842,    10943,
    10617,   8834,    8838,    10949,   8842,    10955,   10951,   10965,   10963,
    8827,    10936,   8829,    10928,   10938,   10934,   8937,    8831,    8721,
    9834,    8835,    2097337, 2097330, 2097331, 10950,   10942,   10968,   8839,
    10948,   10185,   10967,   10619,   10946,   10956,   8843,    10944,   8835,
    8839,    10950,   8843,    10956,   10952,   10964,   10966,   8665,    10534,
    8601,    8601,    10538,   2097375, 8982,    964,     9140,    357,     355,
    1090,    8411,    8981,    120113,  8756,    8756,    952,     977,     977,
    8776,    8764,    8201,    8776,    8764,    2097406, 732,     2097367, 8864,
    10801,   10800,   8749,    10536,   8868,    9014,    10993,   120165,  10970,
    10537,   8244,    8482,    9653,    9663,    9667,    8884,    8796,    9657,
    8885,    9708,    8796,    10810,   10809,   10701,   10811,   9186,    120009,
    1094,    1115,    359,     8812,    8606,    8608,    8657,    10595,   2097402,
    8593,    1118,    365,     2097403, 1091,    8645,    369,     10606,   10622,
    120114,  2097401, 8639,    8638,    9600,    8988,    8988,    8975,    9720,
    363,     2097320, 371,     120166,  8593,    8597,    8639,    8638,    8846,
    965,     978,     965,     8648,    8989,    8989,    8974,    367,     9721,
    120010,  8944,    361,     9653,    9652,    8648,    2097404, 10663,   8661,
    10984,   10985,   8872,    10652,   1013,    1008,    8709,    981,     982,
    8733,    8597,    1009,    962,     1057418, 1059531, 1057419, 1059532, 977,
    8882,    8883,    1074,    8866,    8744,    8891,    8794,    8942,    124,
    124,     120115,  8882,    795266,  795267,  120167,  8733,    8883,    120011,
    1059531, 1057418, 1059532, 1057419, 10650,   373,     10847,   8743,    8793,
    8472,    120116,  120168,  8472,    8768,    8768,    120012,  8898,    9711,
    8899,    9661,    120117,  10234,   10231,   958,     10232,   10229,   10236,
    8955,    10752,   120169,  10753,   10754,   10233,   10230,   120013,  10758,
    10756,   9651,    8897,    8896,    2097405, 1103,    375,     1099,    2097317,
    120118,  1111,    120170,  120014,  1102,    2097407, 378,     382,     1079,
    380,     8488,    950,     120119,  1078,    8669,    120171,  120015,  8205,
    8204};

#endif
