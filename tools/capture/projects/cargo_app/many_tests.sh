# Prints a Rust test file: 200 tests that pass and one that does not.
for n in $(seq 1 200); do
    printf '#[test]\nfn error_code_%d_is_kept() { assert_eq!(%d, ledger::total(&[%d, 0])); }\n' "$n" "$n" "$n"
done
cat <<'END'
#[test]
fn sum_of_currencies() {
    println!("rows: {:?}", [1, 2, 3]);
    assert_eq!(ledger::total(&[1, 2, 3]), 7, "three rows of the March book");
}
END
