import Storage
import Testing

@testable import Family

@Suite("Family's migrations")
struct MigrationTests {
    @Test("Released migrations are never edited")
    func frozen() {
        let digests = FamilyServices.migrations.map { "\($0.name) \($0.digest)" }
        let shipped = [
            "0001-households 3d5d876e59bce50b9339c20612b756301e579e4d8e3d8dd76664d5b81286bbab",
            "0002-removals a65ca7075431e395cb95d3352f6260057f93131b88bcf3fd20c4b7cbd80934b1",
            "0003-withdrawn-removals ec7ebf758ecf986f58da2f498e15915e1fd52281d70c36c3e36700a73762a4a0",
            "0004-first-steps c6b97d572e6fecbbd0de69dfd39b8d05dc2357abfdc036bdaef680464575b668",
            "0005-schedules e5a98193f5739dbde0f61c5ea69ba89638e5e36e8574f40ad126404e18511208",
            "0006-requested-occurrences c396dcef16105367437a19a813d82b2ea21294b7a4045ddd54dc4d85e35c6878",
            "0007-turns-and-pauses 415f2582f53eca8f40974192075953f1a705623bea361bf355c8b116104181dd",
            "0008-declined-requests bf01b409d7358ba6a22317f46acf4c2358d36c711da46aeb8744424a059bd78b",
            "0009-automatic-points 514e489813867512ea664a7bd321eaf944f18e25a0bc227621c57b8625b21818",
            "0010-steps-and-photos 8d1ca1ebfe0c78274175692c84a6f9694b6bb53f3b18753f677fe5ce2cfc49ab",
            "0011-rewards 950cbeeb942841b0f5b6ae14ceb3843453190e75a6cfcfde07952af2a7f012a1",
            "0012-saving-goals 19c674116eb59a7291071d552463c56a5cc526f14878d6aec909655e5bee3fb5",
            "0013-wishes 842053ba7e18b82b785bce700ba55b0b89a537c29c2f3e83bba3eefba06bfed3",
            "0014-streaks 530994f669fd251c272776ceb2d46bc8fc57c8c4adc714e72b7ab57cf13b5025",
            "0015-tablets fcc3ebc1c1c6e87f86f0f8daa978527ba942c0ca0d2591edeae8348ef6a50709",
            "0016-skips 67fc47d3f96d15c292ee383fd5ec2ad4a5d1f2cfcdebd01f2c67b44eb45a83c1",
            "0017-rounds-and-days a9258fcd8ec914fb6d78ab858aa38309a98788c54e99c3d971229065566ddc01",
        ]
        #expect(digests == shipped)
    }
}
