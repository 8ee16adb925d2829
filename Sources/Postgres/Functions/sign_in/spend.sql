-- Spends what is good once. `p_until` says for each how long it is remembered: until that moment in Unix seconds, where the
-- thing itself says when it ends (the same moment whenever it comes); negative, where the moment is counted from now; 0, where
-- it stands beside the next one, which it carries and without which it is never accepted: then that one alone is spent.
-- Where one was spent before, the key refuses it and the whole statement with it (23505): `spent_position` says which one.
-- Always true: an answer, so that a caller needs no query to call it.
-- Locks: spent (new), spent_codes (new). In the order given. The next caller with the same digest waits for this transaction.
-- Invariant: what is good once is used once.
create or replace function spend(p_digests bytea[], p_until bigint[]) returns boolean language plpgsql as $$
declare
    carrier bytea;
begin
    for i in 1 .. coalesce(array_length(p_digests, 1), 0) loop
        if p_until[i] = 0 then
            carrier := p_digests[i];
            continue;
        elsif p_until[i] > 0 then
            insert into spent (expires_at, digest, beside) values (to_timestamp(p_until[i]), p_digests[i], carrier);
        else
            insert into spent_codes (digest, expires_at) values (p_digests[i], to_timestamp(-p_until[i]));
        end if;
        carrier := null;
    end loop;
    if carrier is not null then
        raise exception 'a credential beside nothing that is spent';
    end if;
    return true;
end $$;
