import module_1  # type: ignore
import module_2  # type: ignore
import module_3  # type: ignore
import module_4  # type: ignore
import module_5  # type: ignore
import module_6  # type: ignore
import module_7  # type: ignore
import module_8  # type: ignore
import module_9  # type: ignore
import module_10  # type: ignore
import module_11  # type: ignore
import module_12  # type: ignore
import module_13  # type: ignore
import module_14  # type: ignore
import module_15  # type: ignore
import module_16  # type: ignore
import module_17  # type: ignore
import module_18  # type: ignore
import module_19  # type: ignore
import module_20  # type: ignore
import module_21  # type: ignore


def late() -> int:
    return not_defined_anywhere
