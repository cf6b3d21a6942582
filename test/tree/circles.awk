# Reads a graph, one edge "FROM TO" a line; prints each circle found, and exits
# with 1 if there is one.
{
    if (!(($1, $2) in edge) && $1 != $2) {
        edge[$1, $2] = 1
        to[$1, ++count[$1]] = $2
    }
}

# depth: of the way that led here; on_way: nodes of it
function visit(node, depth, i, next_node)
{
    seen[node] = 1
    way[depth] = node
    on_way[node] = depth
    for (i = 1; i <= count[node]; i++) {
        next_node = to[node, i]
        if (next_node in on_way)
            print_circle(on_way[next_node], depth)
        else if (!(next_node in seen))
            visit(next_node, depth + 1)
    }
    delete on_way[node]
}

function print_circle(first, last, i, text)
{
    for (i = first; i <= last; i++)
        text = text way[i] " -> "
    print text way[first]
    circles++
}

END {
    for (node in count)
        if (!(node in seen))
            visit(node, 1)
    exit circles > 0
}
