"""Literal rows of `parametrize`, and which of them one test id stands for."""
import ast
import itertools
import re

MOST_COMBINATIONS = 500


def constant_text(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class Parameters:
    """One `pytest.mark.parametrize` whose rows stand in the source."""

    def __init__(self, source, node):
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        arguments = list(node.args)
        names = arguments[0] if arguments else given.get("argnames")
        values = arguments[1] if len(arguments) > 1 else given.get("argvalues")
        self.node = node
        self.names = self._names(names)
        self.rows = None
        if self.names and isinstance(values, (ast.List, ast.Tuple)):
            if all(plain_row(source, row) for row in values.elts):
                self.rows = values.elts
        self.ids = arguments[3] if len(arguments) > 3 else given.get("ids")
        self.further = arguments[2:3] + arguments[4:] + [
            keyword for keyword in node.keywords if keyword.arg not in ("argnames", "argvalues", "ids")]
        self.texts = self._texts() if self.rows is not None else []

    @staticmethod
    def _names(node):
        if constant_text(node) is not None:
            return [name.strip() for name in constant_text(node).split(",") if name.strip()]
        if isinstance(node, (ast.List, ast.Tuple)):
            names = [constant_text(name) for name in node.elts]
            return None if None in names else names
        return None

    def _texts(self):
        """The id text of each row; None where it cannot be told from the source."""
        texts = [self._text(number, row) for number, row in enumerate(self.rows)]
        # pytest numbers ids that coincide.
        return [text if texts.count(text) == 1 else None for text in texts]

    def _text(self, number, row):
        values = [row] if len(self.names) == 1 else None
        if isinstance(row, ast.Call):
            for keyword in row.keywords:
                if keyword.arg == "id":
                    return constant_text(keyword.value)
                if keyword.arg is None:
                    return None
            values = row.args
        elif values is None:
            values = row.elts if isinstance(row, (ast.List, ast.Tuple)) else []
        if self.ids is not None and not (isinstance(self.ids, ast.Constant) and self.ids.value is None):
            if not isinstance(self.ids, (ast.List, ast.Tuple)) or number >= len(self.ids.elts):
                return None
            return constant_text(self.ids.elts[number])
        if len(values) != len(self.names):
            return None
        texts = [value_text(value, name, number) for value, name in zip(values, self.names)]
        return None if None in texts else "-".join(texts)

    def row_content(self, source, number):
        row = self.rows[number]
        if isinstance(row, ast.Call):
            kept = [keyword for keyword in row.keywords if keyword.arg != "id"]
            if not kept:
                return source.form([list(row.args)])
            return source.form([list(row.args), kept])
        if len(self.names) > 1 and isinstance(row, (ast.List, ast.Tuple)):
            return source.form([list(row.elts)])
        return source.form([[row]])


def plain_row(source, node, depth=0):
    """Whether a row is written out: no calls but `pytest.param` and marks, nothing unpacked."""
    if depth > DEEPEST:
        return False
    depth += 1
    if isinstance(node, ast.Call):
        if source.is_mark(node):
            return True
        if source.source_of(node.func) != "pytest.param":
            return False
        return all(plain_row(source, value, depth) for value in node.args) and all(
            keyword.arg is not None and plain_row(source, keyword.value, depth) for keyword in node.keywords)
    if isinstance(node, ast.Starred) or (isinstance(node, ast.Dict) and None in node.keys):
        return False
    if isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict)):
        return all(plain_row(source, child, depth) for child in ast.iter_child_nodes(node)
                   if isinstance(child, ast.expr))
    return source.inert(node)


def value_text(node, name, number):
    sign = ""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, "-"
        if not (isinstance(node, ast.Constant) and type(node.value) in (int, float)):
            return None
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, str):
            return value if value.isascii() and value.isprintable() and "\\" not in value else None
        if value is None or isinstance(value, (bool, int, float)):
            return sign + str(value)
        return None
    if isinstance(node, (ast.Tuple, ast.List, ast.Dict, ast.Set)):
        return "%s%d" % (name, number)
    return None


def literal_parameters(source, decorators):
    found = []
    for node in decorators:
        if isinstance(node, ast.Call) and source.source_of(node.func) == "pytest.mark.parametrize":
            found.append(Parameters(source, node))
    return found


def choose_rows(parameters, test):
    """{position in parameters: row number}, as far as the test's id can mean one row alone.

    The numbers that pytest keeps are those of the rows only where nothing else is parametrised: newer versions number
    the combinations. Elsewhere the text of the id decides, and a row is chosen only if no other fits it.
    """
    text = test.get("params")
    names = [name for one in parameters for name in one.names or ["?"]]
    literal_ones = [position for position, one in enumerate(parameters) if one.rows is not None]
    if text is None or not literal_ones or len(set(names)) != len(names):
        return {}
    indices = test.get("param_indices")
    alone = indices is not None and set(indices) == set(names)
    if alone and len(parameters) == 1 and len(set(indices.values())) == 1:
        number = indices[names[0]]
        if 0 <= number < len(parameters[0].rows):
            known = parameters[0].texts[number]
            return {0: number} if known in (None, text) else {}
    count = 1
    for position in literal_ones:
        count *= len(parameters[position].rows)
    if count > MOST_COMBINATIONS or len(parameters) > 4:
        return {}
    fitting = set()
    for numbers in itertools.product(*[range(len(parameters[at].rows)) for at in literal_ones]):
        texts = [".*" for _ in parameters]
        for position, number in zip(literal_ones, numbers):
            known = parameters[position].texts[number]
            texts[position] = ".*" if known is None else re.escape(known)
        if any(fits(order, text, alone) for order in itertools.permutations(texts)):
            fitting.add(numbers)
    if not fitting:
        return {}
    # Several may fit and yet agree in some of the rows.
    return {position: numbers[0] for position, numbers in zip(literal_ones, zip(*fitting))
            if len(set(numbers)) == 1}


def fits(texts, text, alone):
    pattern = "-".join(texts) if alone else "(?:.*-)?" + "(?:-.*)?-".join(texts) + "(?:-.*)?"
    return re.fullmatch(pattern, text, re.S) is not None
