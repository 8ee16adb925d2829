-- Whether a session must add a proof before it changes sign-in methods: its account has a second factor, and the session
-- lacks it; or a provider alone proved the session and did not state when. A silent answer of a provider at an unlocked
-- browser is as new as a typed password, so its age says nothing. An account without a mailbox, number, password or passkey
-- has nothing else to prove: there the provider's answer counts.
-- Locks: none
create or replace function lacks_proof(p_account uuid, p_acr text, p_proofs jsonb) returns boolean language plpgsql stable as $$
begin
    return exists (select from accounts a where a.id = p_account and a.mfa and p_acr <> '2')
           or is_undated(p_proofs) and can_prove_again(p_account);
end $$;
